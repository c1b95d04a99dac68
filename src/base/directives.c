#include "base/directives.h"

#include "base/lexer.h"

#include <string.h>

struct scanner {
	const char *at;
	const char *end; /* *end is NUL */
	unsigned line;
	const struct directives_sink *sink;
};

static void count_lines(struct scanner *scanner, const char *to)
{
	const char *p = scanner->at;

	while (p < to && (p = memchr(p, '\n', (size_t)(to - p)))) {
		scanner->line++;
		p++;
	}
	scanner->at = to;
}

static struct view word_at(const char *at, const char *end)
{
	return view_word((struct view){ at, (size_t)(end - at) });
}

static void report_include(const struct scanner *scanner, const char *at, const char *stop)
{
	const char *close;

	if (at == stop || (*at != '"' && *at != '<') || !scanner->sink->include)
		return;
	close = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(stop - at - 1));
	if (close && close > at + 1)
		scanner->sink->include(scanner->sink->data, (struct view){ at + 1, (size_t)(close - at - 1) });
}

/* Is the word in front of @at continued on the next line, as in "FO\\" and "O"? */
static bool is_spliced(const char *at, const char *end)
{
	size_t splice = lexer_splice(at, end);

	return splice && word_at(at + splice, end).length;
}

bool directives_cut_parameters(struct define *define)
{
	const char *close = define->body.length && *define->body.at == '(' ? memchr(define->body.at, ')', define->body.length) : NULL;

	if (!close)
		return false;
	define->parameters = (struct view){ define->body.at + 1, (size_t)(close - define->body.at) - 1 };
	define->body.length -= define->parameters.length + 2;
	define->body.at = close + 1;
	return true;
}

static void report_function(const struct scanner *scanner, struct define define)
{
	if (scanner->sink->define_function && directives_cut_parameters(&define))
		scanner->sink->define_function(scanner->sink->data, &define);
}

static void report_define(const struct scanner *scanner, const char *at, const char *stop, unsigned line)
{
	struct view name = word_at(at, stop);
	struct view body = { name.at + name.length, (size_t)(stop - name.at) - name.length };
	const char *start;

	if (!name.length || view_is_digit(*name.at) || is_spliced(body.at, stop))
		return;
	if (body.length && *body.at == '(') {
		report_function(scanner, (struct define){ .name = name, .body = body, .line = line });
		return;
	}
	if (scanner->sink->define)
		scanner->sink->define(scanner->sink->data, &(struct define){ .name = name, .body = body, .line = line });
	/* "#define HEADER <x.h>" may be included by name. */
	start = lexer_skip_blank(body.at, stop);
	if (start < stop && (*start == '<' || (*start == '"' && memmem(start, (size_t)(stop - start), ".h\"", 3))))
		report_include(scanner, start, stop);
}

/* @scanner is at the "#". */
static void scan_directive(struct scanner *scanner)
{
	const char *stop = lexer_line_end(scanner->at, scanner->end);
	const char *at = lexer_skip_blank(scanner->at + 1, stop);
	struct view word = word_at(at, stop);

	at = lexer_skip_blank(word.at + word.length, stop);
	if (view_is(word, "define"))
		report_define(scanner, at, stop, scanner->line);
	else if (view_is(word, "include") || view_is(word, "include_next") || view_is(word, "import"))
		report_include(scanner, at, stop);
	count_lines(scanner, stop);
}

void directives_scan(const char *text, size_t size, const struct directives_sink *sink)
{
	struct scanner scanner = { .at = text, .end = text + size, .line = 1, .sink = sink };

	while (scanner.at < scanner.end) {
		count_lines(&scanner, lexer_skip_blank(scanner.at, scanner.end));
		if (*scanner.at == '#')
			scan_directive(&scanner);
		else
			count_lines(&scanner, lexer_line_end(scanner.at, scanner.end));
		if (scanner.at < scanner.end) {
			scanner.at++;
			scanner.line++;
		}
	}
}

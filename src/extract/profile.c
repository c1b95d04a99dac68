/*
 * extract/profile.c - the built-in profiles, and proposing a profile for a tree
 *
 * A built-in profile is the text of src/extract/profiles/NAME.json. How the driver uses its fields is in a
 * separate file, NAME-use.json, because it does not affect documents: a change in NAME.json makes the
 * documents of an archive unusable, and a change in NAME-use.json does not.
 *
 * To add a built-in profile, add the file, and a row to BUILTIN_PROFILES.
 */
#include "extract/extract.h"
#include "extract/internal.h"

#ifndef PROFILE_DIR
#error "PROFILE_DIR is the directory of the profiles; the Makefile sets it"
#endif

/* Sorted by name. The first column is the name as a part of a C identifier. */
#define BUILTIN_PROFILES(ROW)                                                                                \
	ROW(aws_neuron, "aws-neuron") ROW(habanalabs, "habanalabs") ROW(linux_drm, "linux-drm")              \
	ROW(linux_kfd, "linux-kfd") ROW(linux_kvm, "linux-kvm") ROW(linux_v4l2, "linux-v4l2")                \
	ROW(linux_vfio, "linux-vfio") ROW(nvidia, "nvidia")

#define EMBED_PROFILE(symbol, name) EMBED(profile_text_##symbol, PROFILE_DIR "/" name ".json");
#define NAME_OF_PROFILE(symbol, name) name,
#define TEXT_OF_PROFILE(symbol, name) profile_text_##symbol,

BUILTIN_PROFILES(EMBED_PROFILE)
EMBED(profile_text_nvidia_use, PROFILE_DIR "/nvidia-use.json");

static const char *const builtin_names[] = { BUILTIN_PROFILES(NAME_OF_PROFILE) NULL };
static const char *const texts[] = { BUILTIN_PROFILES(TEXT_OF_PROFILE) };

const char *profile_builtin(const char *name)
{
	for (size_t i = 0; builtin_names[i]; i++)
		if (!strcmp(builtin_names[i], name))
			return texts[i];
	return NULL;
}

const char *profile_builtin_use(const char *name)
{
	return strcmp(name, "nvidia") ? NULL : profile_text_nvidia_use;
}

const char *const *profile_builtin_names(void)
{
	return builtin_names;
}

void strings_append(struct profile_strings *list, const char *text, struct arena *arena)
{
	const char **items;

	if (texts_have(list->item, list->count, text))
		return;
	items = arena_room(arena, list->item, list->count, sizeof(*items));
	items[list->count] = text;
	*list = (struct profile_strings){ items, list->count + 1 };
}

/*
 * --- proposing a profile for a tree ---
 *
 * 1. list_headers() lists the headers of the tree. If include/uapi exists, only the headers for user space
 *    are listed: those in include/uapi and arch/x86/include/uapi. Headers for x86 are only used to find
 *    includes. The profile then names the corresponding directory of each target.
 * 2. read_headers() scans each header for macros and for includes.
 * 3. find_makers() finds the makers: _IO() and similar macros, and function-like macros that call a maker.
 * 4. count_ioctls() counts the ioctls: object-like macros that call a maker. The profile lists their headers.
 *    The type number of an ioctl is the first argument of _IO(): a literal, or a macro for a literal.
 * 5. find_includes() searches the tree for the files that these headers include, directly or indirectly. It
 *    does not search for headers of the C library, such as <stddef.h>, because it would find linux/stddef.h.
 * 6. find_sources() lists the sources that use _IOC_NR().
 *
 * Enumerators that call a maker are ioctls, too, but the proposed family, whose source is "ioc", does not
 * select them. find_enumerators() only lists them.
 */

enum { DEPTH_MAX = 8 }; /* number of directory levels that are searched */
#define X86_TRIPLE "x86_64-linux-gnu"

/* A macro of a header. It can be a maker, an ioctl, or the type number of ioctls. */
struct macro_call {
	const char *name;
	const char *called;  /* the called macro, "AMDKFD_IOWR"; NULL if the text is not a call */
	const char *first;   /* the first argument of the call; the whole text if it is not a call */
	size_t header;
	bool is_function, is_maker;
	UT_hash_handle hh;
};

struct include {
	size_t header;
	const char *spelled;
};

/* An enumerator whose value is a call. */
struct assigned {
	const char *name, *called;
};

struct proposing {
	struct tree *tree;
	struct arena *arena;
	const char **paths; /* paths of the headers; from malloc() */
	size_t path_count;
	struct macro_call *calls; /* hash table (uthash) by name, with the first definition of each macro */
	struct include *includes;
	size_t include_count;
	struct assigned *assigned;
	size_t assigned_count;
	size_t *ioctls;     /* number of ioctls of the header with the same index */
	bool *wanted;       /* the header with the same index has ioctls, or a wanted header includes it */
	bool types[256];
	size_t header;      /* index of the header that is currently read */
	bool (*known)(const char *header); /* as in extract_propose() */
	struct proposal out;
};

/* Appends the paths of all files up to DEPTH_MAX levels below @base whose names end with ".@ending". */
static int list_paths(const char ***paths, size_t *count, struct tree *tree, const char *base,
		      const char *ending, struct err *err)
{
	char pattern[64 + 2 * DEPTH_MAX];
	int rc = 0;

	for (int depth = 0; depth < DEPTH_MAX && !rc; depth++) {
		int length = snprintf(pattern, sizeof(pattern), "%s", base);

		for (int i = 0; i < depth; i++)
			length += snprintf(pattern + length, sizeof(pattern) - (size_t)length, "*/");
		snprintf(pattern + length, sizeof(pattern) - (size_t)length, "*.%s", ending);
		rc = tree->ops->glob(tree, pattern, paths, count, err);
		if (rc == ERR_NOT_FOUND)
			rc = 0;
	}
	return rc;
}

/* Checks whether @path is in a directory for one processor, such as "arch/x86/…" or "arm-linux-gnueabi/…". */
static bool is_of_processor(const char *path)
{
	return begins(path, "arch/") || strstr(path, "-linux-gnu");
}

/*
 * Checks whether @path is in a directory for x86. Directories for other processors are not read. In the
 * profile, the directory of each target replaces that for x86.
 */
static bool is_of_x86(const char *path)
{
	const char *triple = strstr(path, X86_TRIPLE "/");

	return begins(path, "arch/x86/") ||
	       (triple && (triple == path || triple[-1] == '/'));
}

/*
 * Sets run->paths to the headers for user space, in include/uapi/ and arch/x86/include/uapi/; to all headers
 * if the former has none. Leaves out headers for other processors than x86.
 */
static int list_headers(struct proposing *run, struct err *err)
{
	size_t kept = 0;
	int rc = list_paths(&run->paths, &run->path_count, run->tree, "include/uapi/", "h", err);

	if (!rc)
		rc = run->path_count ? list_paths(&run->paths, &run->path_count, run->tree,
						  "arch/x86/include/uapi/", "h", err)
				     : list_paths(&run->paths, &run->path_count, run->tree, "", "h", err);
	for (size_t i = 0; i < run->path_count && !rc; i++)
		if (!is_of_processor(run->paths[i]) || is_of_x86(run->paths[i]))
			run->paths[kept++] = run->paths[i];
	if (!rc)
		run->path_count = kept;
	return rc;
}

/* --- reading --- */

/* Adds an #include of the current header to run->includes. @data: the struct proposing */
static void add_include(void *data, struct view spelled)
{
	struct proposing *run = data;

	if (memchr(spelled.at, '\0', spelled.length)) /* a file name cannot have a NUL byte */
		return;
	run->includes = arena_room(run->arena, run->includes, run->include_count, sizeof(*run->includes));
	run->includes[run->include_count++] =
		(struct include){ run->header, arena_strndup(run->arena, spelled.at, spelled.length) };
}

/* Adds a macro to @data, a struct proposing, unless its text is empty or its name is already there. */
static void add_macro(void *data, const struct define *define)
{
	struct proposing *run = data;
	const char *name = arena_strndup(run->arena, define->name.at, define->name.length);
	const char *text = lexer_join(define->body, false, run->arena);
	struct view rest = macro_without_brackets(text), called;
	struct macro_call *call;

	HASH_FIND_STR(run->calls, name, call);
	if (call || !rest.length)
		return;
	call = arena_alloc(run->arena, sizeof(*call));
	*call = (struct macro_call){ .name = name,
			       .first = text,
			       .header = run->header,
			       .is_function = define->parameters.at != NULL };
	if (macro_is_call(text) && view_cut_name(&called, &rest) && rest.length) {
		call->called = arena_strndup(run->arena, called.at, called.length);
		rest.at++;
		call->first = arena_strndup(run->arena, rest.at, strcspn(rest.at, ",)"));
	}
	HASH_ADD_KEYPTR(hh, run->calls, call->name, strlen(call->name), call);
}

/* Adds the enumerators "NAME = CALLED(" in the body of an enum, which may be ioctls, to run->assigned. */
static void scan_enumerators(struct proposing *run, struct view body)
{
	const char *end = body.at + body.length;

	for (const char *at = body.at; (at = memchr(at, '=', (size_t)(end - at))); at++) {
		struct view before = view_trim((struct view){ body.at, (size_t)(at - body.at) }),
			    after = view_trim((struct view){ at + 1, (size_t)(end - at - 1) }), called;
		const char *name = before.at + before.length;

		while (after.length && *after.at == '(')
			after = view_trim((struct view){ after.at + 1, after.length - 1 });
		while (name > before.at && view_is_word_char(name[-1]))
			name--;
		if (name == before.at + before.length || !view_cut_name(&called, &after) || !after.length ||
		    *after.at != '(')
			continue;
		run->assigned = arena_room(run->arena, run->assigned, run->assigned_count,
					   sizeof(*run->assigned));
		run->assigned[run->assigned_count++] = (struct assigned){
			arena_strndup(run->arena, name, (size_t)(before.at + before.length - name)),
			arena_strndup(run->arena, called.at, called.length),
		};
	}
}

/* Finds the enums in the text of a header, and adds their enumerators whose values are calls. */
static void scan_enums(struct proposing *run, const char *text, size_t size)
{
	const char *blank = lexer_blank((struct view){ text, size }, run->arena), *end = blank + size, *at;
	struct view rest = { blank, size };

	while ((at = view_mention(rest, "enum"))) {
		struct view body = view_trim((struct view){ at + strlen("enum"),
							    (size_t)(end - at) - strlen("enum") }), name;
		const char *close;

		view_cut_name(&name, &body);
		rest = body;
		if (!body.length || *body.at != '{')
			continue;
		close = memchr(body.at, '}', body.length);
		if (!close)
			return;
		scan_enumerators(run, (struct view){ body.at + 1, (size_t)(close - body.at - 1) });
		rest = (struct view){ close, (size_t)(end - close) };
	}
}

/* Reads the macros, includes and enumerators of all listed headers. */
static int read_headers(struct proposing *run, struct err *err)
{
	for (run->header = 0; run->header < run->path_count; run->header++) {
		const char *path = run->paths[run->header], *text;
		size_t size;
		int rc = run->tree->ops->read(run->tree, path, &text, &size, err);

		if (rc == ERR_NOT_FOUND) /* a broken symbolic link */
			continue;
		if (rc)
			return rc;
		text = lexer_newlines(text, size, run->arena);
		directives_scan(text, size,
				&(struct directives_sink){ run, add_include, add_macro, add_macro });
		if (!is_of_processor(path) && memmem(text, size, "enum", strlen("enum")))
			scan_enums(run, text, size);
		tree_forget(run->tree, path);
	}
	return 0;
}

/* --- makers and ioctls --- */

static bool is_basic_maker(const char *name)
{
	static const char *const names[] = { "_IO", "_IOR", "_IOW", "_IOWR", "_IOC" };

	return texts_have(names, sizeof(names) / sizeof(*names), name);
}

static struct macro_call *find_call_macro(const struct proposing *run, const char *name)
{
	struct macro_call *call;

	HASH_FIND_STR(run->calls, name, call);
	return call;
}

static bool is_maker(const struct proposing *run, const char *name)
{
	const struct macro_call *call = find_call_macro(run, name);

	return is_basic_maker(name) || (call && call->is_function && call->is_maker);
}

static bool calls_maker(const struct proposing *run, const struct macro_call *call)
{
	return call->called && is_maker(run, call->called);
}

/* Marks the function-like macros that call _IO() or a similar macro, directly or through each other. */
static void find_makers(struct proposing *run)
{
	for (bool found = true; found;) {
		found = false;
		for (struct macro_call *call = run->calls; call; call = call->hh.next) {
			if (!call->is_function || call->is_maker || !calls_maker(run, call))
				continue;
			found = call->is_maker = true;
		}
	}
}

/* Returns the type number in @text, "'K'", "0x12" or a macro for such a literal; -1 if unknown. */
static int type_value(const struct proposing *run, const char *text)
{
	for (int depth = 0; depth < 8; depth++) {
		struct view view = macro_without_brackets(text);
		const struct macro_call *call;
		uint64_t number;

		if (view.length == 3 && *view.at == '\'' && view.at[2] == '\'')
			return (unsigned char)view.at[1];
		if (view_number(&number, view))
			return number < 256 ? (int)number : -1;
		call = find_call_macro(run, arena_strndup(run->arena, view.at, view.length));
		if (!call || call->called || call->is_function)
			return -1;
		text = call->first;
	}
	return -1;
}

/*
 * Records the type number of an ioctl in run->types, or that it is unknown. The type is taken from the call
 * of _IO() or a similar macro to which the ioctl leads; not from _IOC(), which begins with the direction.
 */
static void note_type(struct proposing *run, const struct macro_call *call)
{
	int value = -1;

	for (int depth = 0; depth < 8 && call && call->called && !is_basic_maker(call->called); depth++)
		call = find_call_macro(run, call->called);
	if (call && call->called && is_basic_maker(call->called) && strcmp(call->called, "_IOC"))
		value = type_value(run, call->first);
	if (value < 0)
		run->out.has_unknown_types = true;
	else
		run->types[value] = true;
}

/* Counts the ioctls of each header that is not for one processor, marks it as wanted, and notes the types. */
static void count_ioctls(struct proposing *run)
{
	for (const struct macro_call *call = run->calls; call; call = call->hh.next) {
		if (call->is_function || is_of_processor(run->paths[call->header]) || !calls_maker(run, call))
			continue;
		run->ioctls[call->header]++;
		run->wanted[call->header] = true;
		note_type(run, call);
	}
}

/* --- includes --- */

/*
 * Checks whether the last components of @path are @spelled. If so, sets @directory to the components before
 * them, or to ".".
 */
static bool ends_with_header(const char **directory, const char *path, const char *spelled,
			     struct arena *arena)
{
	size_t length = strlen(path), end = strlen(spelled);

	if (length < end || strcmp(path + length - end, spelled) ||
	    (length > end && path[length - end - 1] != '/'))
		return false;
	*directory = length == end ? "." : arena_strndup(arena, path, length - end - 1);
	return true;
}

/*
 * Finds the header to which @include refers: a header in the includer's directory, or otherwise the matching
 * header with the shortest path. @directory is set to the include directory in which clang finds the header;
 * NULL for the includer's directory. Return: the index of the header; SIZE_MAX if no header matches.
 */
static size_t find_included(const char **directory, const struct proposing *run,
			    const struct include *include)
{
	const char *includer = run->paths[include->header], *slash = strrchr(includer, '/'), *found;
	const char *beside = slash ? arena_strndup(run->arena, includer, (size_t)(slash - includer)) : ".";
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < run->path_count; i++) {
		if (!ends_with_header(&found, run->paths[i], include->spelled, run->arena))
			continue;
		if (!strcmp(found, beside)) {
			*directory = NULL; /* the include needs no include directory */
			return i;
		}
		if (best == SIZE_MAX || strlen(run->paths[i]) < strlen(run->paths[best])) {
			best = i;
			*directory = found;
		}
	}
	return best;
}

/*
 * Checks whether @spelled is a header of the C library. A file of the tree with such a name is used only if
 * it is in the includer's directory.
 */
static bool is_of_c(const char *spelled)
{
	static const char *const names[] = {
		"assert.h",   "ctype.h",  "errno.h",   "fcntl.h",  "float.h",  "inttypes.h", "iso646.h",
		"limits.h",   "locale.h", "math.h",    "poll.h",   "sched.h",  "setjmp.h",   "signal.h",
		"stdalign.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h",    "stdlib.h",
		"string.h",   "time.h",	  "unistd.h",  "utime.h",  "wchar.h",
	};

	return texts_have(names, sizeof(names) / sizeof(*names), spelled);
}

/*
 * Follows one include of a wanted header. Adds the include directory that it needs to the proposal, or the
 * name to the missing headers, unless run->known(). Return: true if the included header becomes wanted.
 */
static bool follow_include(struct proposing *run, const struct include *include)
{
	struct proposal *out = &run->out;
	const char *directory = NULL;
	size_t found = find_included(&directory, run, include);

	if (found != SIZE_MAX && directory && is_of_c(include->spelled))
		found = SIZE_MAX;
	if (found == SIZE_MAX) {
		if (!run->known(include->spelled))
			strings_append(&out->missing, include->spelled, run->arena);
		return false;
	}
	if (directory)
		strings_append(&out->include, directory, run->arena);
	out->has_own_types = out->has_own_types || !strcmp(include->spelled, "linux/types.h");
	if (run->wanted[found])
		return false;
	return run->wanted[found] = true;
}

/* Follows the includes of all wanted headers, until no further header becomes wanted. */
static void find_includes(struct proposing *run)
{
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < run->include_count; i++)
			if (run->wanted[run->includes[i].header])
				again = follow_include(run, &run->includes[i]) || again;
	}
}

static void find_enumerators(struct proposing *run)
{
	for (size_t i = 0; i < run->assigned_count; i++)
		if (is_maker(run, run->assigned[i].called))
			strings_append(&run->out.enumerators, run->assigned[i].name, run->arena);
}

/* Adds the sources that use _IOC_NR() to run->out.by_nr: they may compare only the nr of an ioctl. */
static int find_sources(struct proposing *run, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0;
	int rc = list_paths(&paths, &count, run->tree, "", "c", err);

	for (size_t i = 0; i < count && !rc; i++) {
		const char *text;
		size_t size;

		rc = run->tree->ops->read(run->tree, paths[i], &text, &size, err);
		if (rc == ERR_NOT_FOUND) {
			rc = 0;
			continue;
		}
		if (!rc && memmem(text, size, "_IOC_NR(", strlen("_IOC_NR(")))
			strings_append(&run->out.by_nr, arena_strdup(run->arena, paths[i]), run->arena);
		tree_forget(run->tree, paths[i]);
	}
	free(paths);
	return rc;
}

/* --- */

/* Sets the members of run->out that follow from the ioctls: headers, numbers of ioctls, types. */
static void set_headers(struct proposing *run)
{
	struct proposal *out = &run->out;
	struct proposed_header *headers = arena_array(run->arena, run->path_count + 1, sizeof(*headers));
	unsigned *types = arena_array(run->arena, 256, sizeof(*types));

	for (size_t i = 0; i < run->path_count; i++) {
		if (!run->ioctls[i])
			continue;
		headers[out->header_count++] =
			(struct proposed_header){ arena_strdup(run->arena, run->paths[i]), run->ioctls[i] };
		out->ioctl_count += run->ioctls[i];
	}
	sort_items(headers, out->header_count, sizeof(*headers), order_named);
	for (unsigned i = 0; i < 256; i++)
		if (run->types[i])
			types[out->type_count++] = i;
	out->headers = headers;
	out->types = types;
}

int extract_propose(struct proposal *out, struct tree *tree, bool (*known)(const char *header),
		    struct arena *arena, struct err *err)
{
	struct proposing run = { .tree = tree, .arena = arena, .known = known };
	const struct proposal *proposal = &run.out;
	int rc;

	if ((rc = list_headers(&run, err)) || (rc = read_headers(&run, err)))
		goto out;
	run.ioctls = arena_array(arena, run.path_count + 1, sizeof(*run.ioctls));
	run.wanted = arena_array(arena, run.path_count + 1, sizeof(*run.wanted));
	find_makers(&run);
	count_ioctls(&run);
	set_headers(&run);
	find_includes(&run);
	find_enumerators(&run);
	if (!proposal->header_count && proposal->enumerators.count)
		rc = err_set(err, ERR_NOT_FOUND,
			     "no header of %s defines ioctls as macros, but enumerators have numbers of ioctls, such as %s; write a profile whose family has \"source\": \"enum\"",
			     tree->version, proposal->enumerators.item[0]);
	else if (!proposal->header_count)
		rc = err_set(err, ERR_NOT_FOUND,
			     "no header of %s defines ioctls with _IO(), _IOR(), _IOW(), _IOWR() or _IOC()",
			     tree->version);
	else
		rc = find_sources(&run, err);
	if (!rc)
		*out = *proposal;
out:
	HASH_CLEAR(hh, run.calls);
	free(run.paths);
	return rc;
}

/* --- the proposal as a profile --- */

/* Returns the profile's name, from the header with the most ioctls: "toy" for "linux/toy_ioctl.h". */
static const char *name_of_proposal(const struct proposal *proposal, struct arena *arena)
{
	const struct proposed_header *most = proposal->headers;
	const char *name;

	for (size_t i = 1; i < proposal->header_count; i++)
		if (proposal->headers[i].ioctl_count > most->ioctl_count)
			most = &proposal->headers[i];
	name = strrchr(most->path, '/') ? strrchr(most->path, '/') + 1 : most->path;
	return arena_strndup(arena, name,
			     strcspn(name, ".") - (strstr(name, "_ioctl.h") ? strlen("_ioctl") : 0));
}

/* Writes role rules for common field names of Linux drivers. */
static void write_roles(struct json_writer *json)
{
	static const struct {
		const char *role, *type, *name;
	} roles[] = {
		{ "pointer", "*\\*", NULL }, { "pointer", "*(\\*)*", NULL }, /* to a function or array */
		{ "pointer", "*64*", "*ptr" }, { "pointer", "*64*", "*_ptrs" },
		{ "fd", "*", "fd" },         { "fd", "*", "*_fd" },         { "pid", "*", "pid" },
		{ "pid", "*", "*_pid" },     { "handle", "*", "handle" },   { "handle", "*", "*_handle" },
		{ "count", "*", "num_*" },   { "count", "*", "*_count" },   { "size", "*", "size" },
		{ "size", "*", "*_size" },
	};

	json_key_open(json, "roles", json_open_array);
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		json_open_inline_object(json);
		json_key_string(json, "role", roles[i].role);
		json_key_string(json, "type", roles[i].type);
		if (roles[i].name)
			json_key_string(json, "name", roles[i].name);
		json_close_object(json);
	}
	json_close_array(json);
}

/* Returns the arm64 directory that corresponds to an x86 directory; NULL if @directory is not for x86. */
static const char *of_arm64(const char *directory, struct arena *arena)
{
	static const char *const names[][2] = { { "x86_64-linux-gnu", "aarch64-linux-gnu" },
						{ "arch/x86/", "arch/arm64/" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *at = strstr(directory, names[i][0]);

		if (at)
			return arena_printf(arena, "%.*s%s%s", (int)(at - directory), directory, names[i][1],
					    at + strlen(names[i][0]));
	}
	return NULL;
}

/* Writes the profile's unit. Each include directory for x86 gets a counterpart for the target arm64. */
static void write_unit(struct json_writer *json, const struct proposal *proposal, const char *name,
		       struct arena *arena)
{
	static const char *const c_types[] = { "#include <stddef.h>", "#include <stdint.h>" };
	const char **headers = arena_array(arena, proposal->header_count, sizeof(*headers));

	for (size_t i = 0; i < proposal->header_count; i++)
		headers[i] = proposal->headers[i].path;
	json_key_open(json, "units", json_open_array);
	json_open_object(json);
	json_key_string(json, "name", name);
	json_key_strings(json, "headers", headers, proposal->header_count);
	if (proposal->include.count) {
		json_key_open(json, "include", json_open_inline_array);
	}
	for (size_t i = 0; i < proposal->include.count; i++) {
		const char *directory = proposal->include.item[i], *arm64 = of_arm64(directory, arena);

		if (!arm64) {
			json_string(json, directory);
			continue;
		}
		json_open_inline_object(json);
		json_key_string(json, "x86_64-linux-gnu", directory);
		json_key_string(json, "aarch64-linux-gnu", arm64);
		json_close_object(json);
	}
	if (proposal->include.count)
		json_close_array(json);
	if (proposal->has_own_types)
		json_key_strings(json, "prologue", c_types, sizeof(c_types) / sizeof(c_types[0]));
	json_key_string(json, "basics", "linux"); /* stand-ins for <linux/types.h>, <linux/ioctl.h> etc. */
	if (proposal->header_count > 1)
		json_key_string(json, "unreadable", "warning");
	json_close_object(json);
	json_close_array(json);
}

void extract_write_proposal(struct strbuf *out, const struct proposal *proposal, struct arena *arena)
{
	const char *name = name_of_proposal(proposal, arena);
	const char **types = arena_array(arena, proposal->type_count + 1, sizeof(*types));
	struct json_writer json = { .out = out };

	json_open_object(&json);
	json_key_string(&json, "format", PROFILE_FORMAT);
	json_key_string(&json, "name", name);
	json_key_string(&json, "description",
			"a first profile, made by drvabi profile init; known_by and roles are guesses");
	write_unit(&json, proposal, name, arena);
	write_roles(&json);
	for (size_t i = 0; i < proposal->type_count; i++) {
		const unsigned type = proposal->types[i];

		types[i] = type > ' ' && type < 0x7f ? arena_printf(arena, "%c", (int)type) :
						       arena_printf(arena, "0x%02x", type);
	}
	json_key_open(&json, "families", json_open_array);
	json_open_inline_object(&json);
	json_key_string(&json, "name", name);
	json_key_string(&json, "source", "ioc");
	json_key_open(&json, "ioc", json_open_object);
	/* A list of types excludes all other ioctls, so the types of all ioctls must be known. */
	if (proposal->type_count && !proposal->has_unknown_types)
		json_key_strings(&json, "types", types, proposal->type_count);
	json_key_string(&json, "known_by", "number");
	json_close_object(&json);
	json_close_object(&json);
	json_close_array(&json);
	json_close_object(&json);
	json_end(&json);
}

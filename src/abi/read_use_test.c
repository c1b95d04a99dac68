/* Tests of the reader for "drvabi-use/1": what is read, and the sentences about what is wrong. */
#include "abi/fixture_test.h"

#define USE(pids, more) "{'format': 'drvabi-use/1', 'pids': [" pids "]" more "}"
#define PID(more) USE("{'record': 'R', 'path': 'a[]', 'evidence': 'e', 'direction': " more "}", "")
#define CONVERTS(ranges) PID("'in', 'driver_converts': [" ranges "]")
#define POINTER(more)                                                                                        \
	USE("", ", 'pointers': [{'record': 'R', 'path': 'p', 'element': 'NvU8', 'direction': 'out', "        \
		"'evidence': 'e'" more "}]")
#define UNION(choices, more)                                                                                 \
	USE("", ", 'unions': [{'record': 'R', 'union': 'u', 'by': 'k', 'choices': [" choices "], "           \
		"'evidence': 'e'" more "}]")
#define FD(kind)                                                                                             \
	USE("", ", 'fds': [{'record': 'R', 'path': 'fd', 'kind': '" kind "', "                               \
		"'optional': true, 'evidence': 'e'}]")
#define DEVICE(more) USE("", ", 'devices': [{'path': '/dev/d#', 'evidence': 'e'" more "}]")

static struct use_rules rules;

static int read_use(const char *text, struct err *err)
{
	int rc;

	rules = (struct use_rules){ .read_until = "untouched" };
	rc = json_read_use(&rules, text, strlen(text), "x", &arena, err);
	assert_true(!rc || (rules.read_until && !strcmp(rules.read_until, "untouched") && !rules.pids.rules));
	return rc;
}

static void add_spans(struct strbuf *out, const struct use_span *spans, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, " %s..%s", spans[i].since, or_dash(spans[i].until));
	strbuf_addch(out, '\n');
}

/* Writes a line for each rule; "-" for a name that it does not have. */
static void add_rules(struct strbuf *out)
{
	for (size_t i = 0; i < rules.pids.count; i++) {
		const struct pid_rule *rule = &rules.pids.rules[i];

		strbuf_addf(out, "pid %s %s %s of %s count %s evidence %s converted in", rule->record,
			    rule->path, use_direction_name(rule->direction),
			    rule->of_guest ? "guest" : "host", or_dash(rule->count), rule->evidence);
		add_spans(out, rule->converts, rule->convert_count);
	}
	for (size_t i = 0; i < rules.pointers.count; i++) {
		const struct pointer_rule *rule = &rules.pointers.rules[i];

		strbuf_addf(out, "pointer %s %s ioctl %s to %s * %s %s limit %d %s converted %s evidence %s",
			    rule->record, rule->path, or_dash(rule->ioctl), or_dash(rule->count),
			    or_dash(rule->times), rule->element, (int)rule->limit_bytes,
			    use_direction_name(rule->direction), or_dash(rule->converted), rule->evidence);
		strbuf_addf(out, " when %s & 0x%llx == %d in", or_dash(rule->when),
			    (unsigned long long)rule->mask, (int)rule->equals);
		add_spans(out, rule->versions, rule->version_count);
	}
	for (size_t i = 0; i < rules.unions.count; i++) {
		const struct union_rule *rule = &rules.unions.rules[i];

		strbuf_addf(out, "union %s.%s by %s:", rule->record, rule->field, rule->by);
		for (size_t c = 0; c < rule->choice_count; c++)
			strbuf_addf(out, " %d %s %s;", (int)rule->choices[c].value,
				    or_dash(rule->choices[c].name), rule->choices[c].member);
		strbuf_addf(out, " evidence %s in", rule->evidence);
		add_spans(out, rule->versions, rule->version_count);
	}
	for (size_t i = 0; i < rules.devices.count; i++) {
		const struct device_rule *rule = &rules.devices.rules[i];

		strbuf_addf(out, "device %s family '%s' driver '%s' module '%s' %u:%u-%u\n", rule->path,
			    rule->family, rule->driver, rule->module, rule->major, rule->first_minor,
			    rule->last_minor);
	}
	for (size_t i = 0; i < rules.array_count; i++)
		strbuf_addf(out, "array %s of %s evidence %s\n", rules.arrays[i].ioctl,
			    rules.arrays[i].element, rules.arrays[i].evidence);
	for (size_t i = 0; i < rules.fd_count; i++)
		strbuf_addf(out, "fd %s %s %s%s evidence %s\n", rules.fds[i].record, rules.fds[i].path,
			    rules.fds[i].kind, rules.fds[i].optional ? " optional" : "",
			    rules.fds[i].evidence);
}

TEST(rules_are_read)
{
	static const struct read_text rows[] = {
		{ "a process id with all that a rule can say",
		  PID("'inout', 'of': 'guest', 'count': 'n', 'driver_converts': [{'since': '1.2', 'until': "
		  "'1.10'}, {'since': '2.0'}]"),
		  "pid R a[] inout of guest count n evidence e converted in 1.2..1.10 2.0..-\n" },
		{ "a range can begin where the previous one ends",
		  CONVERTS("{'since': '1.0', 'until': '2.0'}, {'since': '2.0'}"),
		  "pid R a[] in of host count - evidence e converted in 1.0..2.0 2.0..-\n" },
		{ "what is left out is the host, no count and never", PID("'in'"),
		  "pid R a[] in of host count - evidence e converted in\n" },
		{ "a pointer with nothing more is one element, always", POINTER(""),
		  "pointer R p ioctl - to - * - NvU8 limit 0 out converted - evidence e when - & "
		  "0x0 == 0 in\n" },
		{ "a pointer has counts, a condition and versions",
		  POINTER(", 'ioctl': 'I', 'count': 'n', 'times': 'm', 'limit': 64, 'converted': 'S.f', "
		  "'when': {'field': 'k', 'mask': 240, 'equals': 16}, 'versions': [{'since': '1.0'}]"),
		  "pointer R p ioctl I to n * m NvU8 limit 64 out converted S.f evidence e when k & 0xf0 "
		  "== 16 in 1.0..-\n" },
		{ "a union has choices by value",
		  UNION("{'value': 1, 'name': 'ONE', 'member': 'a'}, {'value': 7, 'member': 'b'}", ", "
		  "'versions': [{'since': '1.0'}]"),
		  "union R.u by k: 1 ONE a; 7 - b; evidence e in 1.0..-\n" },
		{ "a device with all that a rule can say",
		  DEVICE(", 'family': 'f', 'major': 226, 'minors': [64, 127], 'module': 'm', "
			 "'driver': 'd-*'"),
		  "device /dev/d# family 'f' driver 'd-*' module 'm' 226:64-127\n" },
		{ "a device with nothing more has all minor numbers", DEVICE(""),
		  "device /dev/d# family '' driver '' module '' 0:0-4294967295\n" },
		{ "an array is read",
		  USE("", ", 'arrays': [{'ioctl': 'I', 'element': 'E', 'evidence': 'e'}]"),
		  "array I of E evidence e\n" },
		{ "a file descriptor is of a known kind", FD("event"),
		  "fd R fd event optional evidence e\n" },
	};

	check_read(rows, sizeof(rows) / sizeof(*rows), read_use, add_rules);
}

#define NO_PAIR "devices[0].minors: 'minors' must be a pair [first, last], such as [0, 247]"

TEST(what_is_wrong_is_named_with_its_path)
{
	static const struct refused_text rows[] = {
		{ "{'format': 'drvabi-use/2', 'pids': []}",
		  "format: expected 'drvabi-use/1', found 'drvabi-use/2'" },
		{ PID("'up'"), "pids[0].direction: 'up' is not a direction (in, out or inout)" },
		{ PID("'in', 'of': 'moon'"), "pids[0].of: 'moon' is not a value of 'of' (host or guest)" },
		{ PID("'in', 'extra': 1"), "pids[0].extra: unknown key" },
		{ CONVERTS("{'since': '2.0', 'until': '2.0'}"),
		  "pids[0].driver_converts[0].until: 2.0 is not newer than 2.0" },
		{ CONVERTS("{'since': '1.0'}, {'since': '2.0'}"),
		  "pids[0].driver_converts[1]: the range begins before the previous range ends" },
		{ CONVERTS("{'since': '1.0', 'until': '3.0'}, {'since': '2.0'}"),
		  "pids[0].driver_converts[1]: the range begins before the previous range ends" },
		{ POINTER(", 'times': 'm'"), "pointers[0].times: 'times' needs 'count'" },
		{ POINTER(", 'when': {'field': 'k', 'mask': 1, 'equals': 2}"),
		  "pointers[0].when.equals: 'equals' has bits that are not in 'mask'" },
		{ UNION("{'value': 1, 'member': 'a'}, {'value': 1, 'member': 'b'}", ""),
		  "unions[0].choices[1]: the value must be larger than that of the previous choice" },
		{ UNION("{'value': -1, 'member': 'a'}", ""), "unions[0].choices[0].value: -1 is negative" },
		{ FD("socket"),
		  "fds[0]: the kind of a file descriptor must be frontend, event, capability or uvm, not "
		  "'socket'" },
		{ DEVICE(", 'minors': [1]"), NO_PAIR },
		{ DEVICE(", 'minors': [true, 2]"), "devices[0].minors[0]: expected an integer, found true" },
		{ DEVICE(", 'minors': [2, 1]"), NO_PAIR },
		{ DEVICE(", 'minors': [1, 2, 3]"), NO_PAIR },
		{ DEVICE(", 'family': 'a-name-that-is-too-long'"),
		  "devices[0].family: 'a-name-that-is-too-long' is longer than 15 characters" },
	};

	check_refused(rows, sizeof(rows) / sizeof(*rows), read_use);
}

TEST_GROUP(NULL, release_arena)

/* decode/device.c - finds which of the driver's devices a file is, with the device rules of "drvabi-use/1" */
#include "decode/internal.h"

#include <sys/sysmacros.h>

/*
 * The kernel never assigns a lower major number dynamically: Documentation/admin-guide/devices.txt,
 * "dynamic assignment".
 */
enum { DYNAMIC_MAJOR = 234 };

bool device_is_dynamic(uint64_t major)
{
	return major >= DYNAMIC_MAJOR;
}

/* From asm-generic/ioctls.h. fs/ioctl.c handles the first four itself, for any file. */
const uint32_t device_never[DEVICE_NEVER_COUNT] = {
	0x5450 /* FIONCLEX */, 0x5451 /* FIOCLEX */, 0x5421 /* FIONBIO */, 0x5452 /* FIOASYNC */,
	0x5401 /* TCGETS */, 0x802c542a /* TCGETS2 */, 0x5413 /* TIOCGWINSZ */,
};

bool device_may_answer(uint32_t request)
{
	for (size_t i = 0; i < DEVICE_NEVER_COUNT; i++)
		if (device_never[i] == request)
			return false;
	return true;
}

/*
 * Does all of @text match @pattern, in which "#" matches a decimal number and "*" all the rest of the text?
 * @minor is set to the number, and untouched if the pattern has no "#".
 */
static bool matches_pattern(const char *pattern, const char *text, unsigned *minor)
{
	for (; *pattern && *pattern != '*'; pattern++) {
		if (*pattern != '#') {
			if (*pattern != *text++)
				return false;
			continue;
		}
		if (*text < '0' || *text > '9')
			return false;
		for (*minor = 0; *text >= '0' && *text <= '9'; text++)
			*minor = *minor * 10 + (unsigned)(*text - '0');
	}
	return *pattern || !*text;
}

const struct device_rule *device_rule_of_path(const struct device_rules *rules, const char *path)
{
	unsigned minor;

	for (size_t i = 0; rules && i < rules->count; i++)
		if (matches_pattern(rules->rules[i].path, path, &minor))
			return &rules->rules[i];
	return NULL;
}

/* Does @rule have the number? @driver: the name of the major number in /proc/devices; "" if it is unknown */
static bool has_device_number(const struct device_rule *rule, dev_t number, const char *driver)
{
	unsigned nothing;

	if (minor(number) < rule->first_minor || minor(number) > rule->last_minor)
		return false;
	return rule->major ? rule->major == major(number)
			   : *rule->driver && *driver && matches_pattern(rule->driver, driver, &nothing);
}

const struct device_rule *device_rule_shown(const struct device_rules *rules, const char *path, dev_t number)
{
	const struct device_rule *rule;

	for (size_t i = 0; rules && number && i < rules->count; i++)
		if (has_device_number(&rules->rules[i], number, ""))
			return &rules->rules[i];
	if ((rule = device_rule_of_path(rules, path)))
		return rule;
	if (number && !device_is_dynamic(major(number)))
		return NULL;
	for (const char *at = path; *at && (at = strstr(at + 1, "/dev/"));)
		if ((rule = device_rule_of_path(rules, at)))
			return rule;
	return NULL;
}

const struct device_rule *device_rule_of(char *usual, size_t room, const struct device_rules *rules,
					 const char *path, dev_t number)
{
	char driver[CHARDEV_NAME_MAX] = "", module[CHARDEV_NAME_MAX];
	const struct device_rule *rule;
	const char *mark;
	unsigned nothing;

	if (device_is_dynamic(major(number)))
		chardev_driver(driver, number);
	for (size_t i = 0; i < rules->count; i++) {
		rule = &rules->rules[i];
		if (!has_device_number(rule, number, driver))
			continue;
		if (*rule->module) {
			chardev_module(module, number);
			if (*module && strcmp(module, rule->module) != 0)
				return NULL;
		}
		mark = strpbrk(rule->path, "#*");
		if (matches_pattern(rule->path, path, &nothing))
			snprintf(usual, room, "%s", path);
		else if (!mark)
			snprintf(usual, room, "%s", rule->path);
		else if (*mark == '#')
			snprintf(usual, room, "%.*s%u", (int)(mark - rule->path), rule->path, minor(number));
		else
			snprintf(usual, room, "/dev/%s", driver);
		return rule;
	}
	rule = device_rule_of_path(rules, path);
	if (!rule || *rule->module)
		return NULL;
	snprintf(usual, room, "%s", path);
	return rule;
}

dev_t device_number_of(const struct device_rules *rules, const char *path)
{
	for (size_t i = 0; i < rules->count; i++) {
		const struct device_rule *rule = &rules->rules[i];
		unsigned minor = rule->first_minor;

		if (rule->major && matches_pattern(rule->path, path, &minor) && minor >= rule->first_minor &&
		    minor <= rule->last_minor)
			return makedev(rule->major, minor);
	}
	return 0;
}

void device_cut_deleted(char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t length = strlen(path);

	if (length > strlen(deleted) && !strcmp(path + length - strlen(deleted), deleted))
		path[length - strlen(deleted)] = '\0';
}

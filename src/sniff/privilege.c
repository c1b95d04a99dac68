#include "sniff/privilege.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The effective user and group of a process. */
static bool effective_ids(uid_t *user, gid_t *group, pid_t pid)
{
	char name[64], line[128];
	bool has_user = false, has_group = false;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file)) {
		has_user |= sscanf(line, "Uid: %*u %u", user) == 1;
		has_group |= sscanf(line, "Gid: %*u %u", group) == 1;
	}
	if (file)
		fclose(file);
	return has_user && has_group;
}

void privilege_check(const struct session *session, pid_t pid)
{
	char link[64], path[DEVICE_PATH_MAX];
	struct stat st;
	ssize_t length;
	uid_t user;
	gid_t group;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	if (stat(link, &st) || !(st.st_mode & (S_ISUID | S_ISGID)) || !effective_ids(&user, &group, pid))
		return;
	if ((!(st.st_mode & S_ISUID) || st.st_uid == user) && (!(st.st_mode & S_ISGID) || st.st_gid == group))
		return;
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	session_note(session, "%s runs without the privilege of its owner, as every set-user-id program does that is traced without "
		     "privilege; run what it has to do beforehand (nvidia-modprobe), or sniff as root", path);
}

/* What the security module Yama allows; -1: there is none. */
static int yama_scope(void)
{
	FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = -1;

	if (file && fscanf(file, "%d", &scope) != 1)
		scope = -1;
	if (file)
		fclose(file);
	return scope;
}

/* The name of a process; "" if it has none. */
static void name_of(char name[64], pid_t pid)
{
	char path[64];
	FILE *file;

	*name = '\0';
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	file = fopen(path, "re");
	if (file && fgets(name, 64, file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
}

int privilege_refused(struct err *err, const char *what, pid_t pid, int error)
{
	const pid_t tracer = processes_number(PROCESSES_OF_TRACER, pid);
	const int scope = yama_scope();
	char name[64];

	if (tracer) {
		name_of(name, tracer);
		return err_set(err, ERR_IO, "cannot trace %s: process %d (%s) traces it already, and a process has one tracer", what, (int)tracer, name);
	}
	if (error != EPERM && error != EACCES && error != ENOSYS)
		return err_set(err, ERR_IO, "cannot trace %s: %s", what, strerror(error));
	if (scope > 0)
		return err_set(err, ERR_IO, "cannot trace %s: %s; /proc/sys/kernel/yama/ptrace_scope is %d: sniff as root, or set it to %s; a container needs the "
			       "capability SYS_PTRACE", what, strerror(error), scope, scope < 3 ? "0" : "less, which takes a reboot");
	return err_set(err, ERR_IO, "cannot trace %s: %s; a container needs the capability SYS_PTRACE (--cap-add SYS_PTRACE), and another user's process "
		       "needs root", what, strerror(error));
}

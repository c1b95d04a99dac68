/*
 * sniff/who.c - find which library made a call, and which of its functions the program called (--who)
 *
 * libdw unwinds the thread's stack with the libraries' own tables (.eh_frame). libdw is loaded at run time,
 * because nothing else uses it. The library that made a call is the first library of the stack that is not
 * libc. The function is that of the outermost frame of this library whose address is in an exported symbol.
 */
#include "sniff/internal.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>

#define LIBDW "libdw.so.1"

/* The libdw functions that this file uses. */
#define CALLS(call)                                                                                          \
	call(dwfl_begin) call(dwfl_end) call(dwfl_report_end) call(dwfl_linux_proc_report)                   \
	call(dwfl_linux_proc_attach) call(dwfl_linux_proc_find_elf) call(dwfl_getthread_frames)              \
	call(dwfl_frame_pc) call(dwfl_addrmodule) call(dwfl_module_info) call(dwfl_module_addrinfo)
#define MEMBER(name) __typeof__(&name) name;
#define LOAD(name) (dw.name = (__typeof__(&name))dlsym(library, #name)) &&

static struct { CALLS(MEMBER) } dw;

/* A process whose stacks can be unwound. */
struct unwound {
	pid_t pid;
	Dwfl *dwfl;
	UT_hash_handle hh;
};

bool who_begin(void)
{
	static bool is_loaded;
	void *library;

	if (!is_loaded && (library = dlopen(LIBDW, RTLD_LAZY)))
		is_loaded = CALLS(LOAD) true;
	return is_loaded;
}

static int no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
			const char *link, GElf_Word crc, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

void who_forget(struct session *session, pid_t pid)
{
	struct unwound *unwound;

	HASH_FIND_INT(session->unwound, &pid, unwound);
	if (!unwound)
		return;
	HASH_DEL(session->unwound, unwound);
	dw.dwfl_end(unwound->dwfl);
	free(unwound);
}

void who_end(struct session *session)
{
	struct unwound *unwound, *next;

	HASH_ITER(hh, session->unwound, unwound, next)
		who_forget(session, unwound->pid);
}

/* Returns the Dwfl with the mappings of a process, kept until who_forget(); NULL if they cannot be read. */
static Dwfl *dwfl_of(struct session *session, pid_t pid)
{
	static Dwfl_Callbacks callbacks;
	struct unwound *unwound;
	Dwfl *dwfl;

	HASH_FIND_INT(session->unwound, &pid, unwound);
	if (unwound)
		return unwound->dwfl;
	callbacks.find_elf = dw.dwfl_linux_proc_find_elf;
	callbacks.find_debuginfo = no_debuginfo;
	dwfl = dw.dwfl_begin(&callbacks);
	if (!dwfl)
		return NULL;
	/* the last argument: the thread is already stopped, so libdw does not attach to it */
	if (dw.dwfl_linux_proc_report(dwfl, pid) || dw.dwfl_report_end(dwfl, NULL, NULL) ||
	    dw.dwfl_linux_proc_attach(dwfl, pid, true)) {
		dw.dwfl_end(dwfl);
		return NULL;
	}
	unwound = xmalloc(sizeof(*unwound));
	*unwound = (struct unwound){ .pid = pid, .dwfl = dwfl };
	HASH_ADD_INT(session->unwound, pid, unwound);
	return dwfl;
}

/* The frames of one call. */
struct frames {
	Dwfl *dwfl;
	Dwfl_Module *library; /* NULL: only libc so far */
	const char *function; /* the library's function; NULL: unknown */
	bool is_stale;        /* a mapping of code was added since dwfl_of() */
};

static const char *file_of(Dwfl_Module *module)
{
	const char *name = dw.dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	const char *slash = name ? strrchr(name, '/') : NULL;

	return slash ? slash + 1 : name ? name : "";
}

/* True for a file of libc, the dynamic linker or the vDSO, which make calls for other libraries. */
static bool is_libc(const char *file)
{
	static const char *const names[] = { "libc.", "libc-", "libpthread", "ld-", "[vdso" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (begins(file, names[i]))
			return true;
	return false;
}

/*
 * Called by libdw for each frame, from the call outwards: sets the library that called libc, and its
 * outermost function. Return: DWARF_CB_ABORT to end the search.
 */
static int add_frame(Dwfl_Frame *frame, void *data)
{
	struct frames *frames = data;
	bool is_activation;
	Dwfl_Module *module;
	const char *name;
	GElf_Off offset;
	Dwarf_Addr pc;
	GElf_Sym symbol;

	if (!dw.dwfl_frame_pc(frame, &pc, &is_activation))
		return DWARF_CB_ABORT;
	pc -= !is_activation; /* the address after a call may belong to a different function */
	module = dw.dwfl_addrmodule(frames->dwfl, pc);
	if (!module) {
		frames->is_stale = !frames->library;
		return DWARF_CB_ABORT;
	}
	if (!frames->library && is_libc(file_of(module)))
		return DWARF_CB_OK;
	if (frames->library && module != frames->library)
		return DWARF_CB_ABORT;
	frames->library = module;
	name = dw.dwfl_module_addrinfo(module, pc, &offset, &symbol, NULL, NULL, NULL);
	if (name && offset < symbol.st_size)
		frames->function = name;
	return DWARF_CB_OK;
}

/*
 * Appends a name. Callers are separated by ", ", and library and function by " ", so these characters are
 * replaced in the name.
 */
static void add_caller_name(char *out, const char *separator, const char *name)
{
	size_t at = strlen(out);

	snprintf(out + at, CALLER_MAX - at, "%s%s", separator, name);
	for (at += strlen(separator); out[at]; at++)
		if (strchr(", ", out[at]) || (unsigned char)out[at] < ' ')
			out[at] = '_';
}

void who_called(char out[CALLER_MAX], struct session *session, struct tracee *tracee)
{
	struct frames frames = { .is_stale = true };

	*out = '\0';
	for (int again = 0; again < 2 && frames.is_stale; again++) {
		if (again)
			who_forget(session, session_pid(tracee));
		frames = (struct frames){ .dwfl = dwfl_of(session, session_pid(tracee)) };
		if (frames.dwfl)
			dw.dwfl_getthread_frames(frames.dwfl, tracee->tid, add_frame, &frames);
	}
	if (!frames.library)
		return;
	add_caller_name(out, "", file_of(frames.library));
	if (frames.function)
		add_caller_name(out, " ", frames.function);
}

/*
 * extract/libclang.c - loads libclang when it is needed
 *
 * A program that is linked with libclang and libLLVM takes 25 ms longer to start, because of their 600,000
 * relocations. Most commands only read existing documents and do not need libclang. So the program calls
 * libclang through pointers from dlsym(). To call a further function, add its name to LIBCLANG_CALLS
 * (internal.h). The compiler checks each call against the prototype in clang-c/.
 */
#include "extract/extract.h"
#include "extract/internal.h"

#include <dlfcn.h>
#include <sys/stat.h>

#define SLOT(name) { "clang_" #name, &clang.name },

struct libclang clang;

static const struct {
	const char *name;
	void *pointer;
} slots[] = { LIBCLANG_CALLS(SLOT) };

int extract_load(struct err *err)
{
	static void *library;
	static bool is_whole;

	if (is_whole)
		return 0;
	if (!library && !(library = dlopen(LIBCLANG_DIR "/" LIBCLANG_NAME, RTLD_LAZY)) &&
	    !(library = dlopen(LIBCLANG_NAME, RTLD_LAZY)))
		return err_set(err, ERR_IO, "libclang, which reads the headers, cannot be loaded: %s",
			       dlerror());
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		void *found = dlsym(library, slots[i].name);

		if (!found)
			return err_set(err, ERR_IO,
				       "libclang is not the one that this program was built for: %s",
				       dlerror());
		memcpy(slots[i].pointer, &found, sizeof(found));
	}
	is_whole = true;
	return 0;
}

const char *extract_compiler_key(struct arena *arena)
{
	struct stat status;

	/* In Debian, LLVM's libclang.so is a link into LIBCLANG_DIR, which has LIBCLANG_NAME. */
	if (stat(LIBCLANG_DIR "/" LIBCLANG_NAME, &status))
		return extract_compiler(arena);
	return arena_printf(arena, LIBCLANG_NAME " of %lld bytes, from %lld.%09ld", (long long)status.st_size,
			    (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

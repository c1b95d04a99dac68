/*
 * Options of AddressSanitizer, which all programs have that are built with it.
 *
 * The sanitizers guess the bounds of the thread-local memory of a library that dlopen() loads, such as libclang. The
 * guess is wrong if malloc() puts that memory 16 bytes into a page, and LeakSanitizer then reads an invalid address.
 * Without the interception of __tls_get_addr(), they do not guess. Linking libclang would also avoid the guess, but
 * then each start of a program takes 50 ms longer.
 */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "intercept_tls_get_addr=0";
}

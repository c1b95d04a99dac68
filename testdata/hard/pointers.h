/*
 * Pointers: to records that nothing else uses, to opaque records, to itself,
 * to each other, to arrays, to functions (with and without a typedef, with a
 * record as an argument, variadic, returning a pointer), to pointers.
 */
struct opaque;
typedef struct opaque opaque_typedef;

struct only_by_pointer {
	int x;
};

struct ring_b;

struct ring_a {
	struct ring_b *b;
};

struct ring_b {
	struct ring_a *a;
};

typedef void (*callback)(void *data, struct only_by_pointer *record);
typedef int function(int);

struct pointers {
	void *nothing;
	const char *text;
	char *const fixed;
	struct only_by_pointer *record;
	struct opaque *opaque;
	opaque_typedef *opaque_by_typedef;
	struct pointers *self;
	struct pointers **self_twice;
	struct ring_a ring;
	int *array_of_pointers[4];
	int (*pointer_to_array)[4];
	struct only_by_pointer (*pointer_to_records)[2];
	callback by_typedef;
	void (*none)(void);
	int (*several)(const char *format, ...);
	struct only_by_pointer *(*returns)(struct opaque *);
	void (*table[3])(int, unsigned long);
	function *by_function_typedef;
	void (*takes_callback)(callback, int (*)[2]);
};

static int V2(_B)(void);
typedef struct row { NvU32 cmd; Handler func; NvBool bSkipVGPU; NvU32 rights; } Row;
static const Row table[] =
{
#ifdef X
	{ A, f, NV_TRUE, 3 },
#endif
	{ B, V2(_B), NV_FALSE, (1, 2) },
	{ 0x101, &f, 1 },
	{ 0, NULL, NV_FALSE, 0 },
	{ C, f, NV_FALSE, 0 }
};
static int V2(_B)(void)
{
	A_PARAMS params = { "}", table[1].cmd };
}
int f(void) { }

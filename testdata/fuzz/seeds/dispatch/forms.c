long f(struct c *c, int cmd)
{
	switch (_IOC_NR(cmd)) {
#if 0
	case CMD_A:
#else
	case CMD_B: {
		switch (type) { case CMD_C: break; }
	}
#endif
	case CMD_D ... CMD_E: if (x) { y(); } else z([1]);
	ROUTE_X(CMD_F, f) ;
	ROUTE_Y();
	default:
		do { g(); } while ("}");
	}
#define ROUTE_X(cmd, f) \
	case cmd: f();
	switch (c->cmd)
		return CMD_G;
}

int in(struct c *c)
{
	switch (pCopy->cmd)
	{
#ifdef CMD_A
		case CMD_A:
		{
			copy("}", '{');
			break;
		}
#elif defined(X)
		case CMD_UNKNOWN: break;
#endif
		case CMD_B:
			switch (p->type) { case CMD_A: ; }
		default:
	}
}

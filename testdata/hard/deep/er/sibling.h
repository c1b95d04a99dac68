#pragma once
struct sibling {
	int x;
};

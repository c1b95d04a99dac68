#pragma once
struct shared {
	char c;
};

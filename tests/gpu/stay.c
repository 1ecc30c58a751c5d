/* Libraries stay, so that the leaks of a driver are known as its own. */
int dlclose(void *library);
int dlclose(void *library)
{
	return !library;
}

/* Times draws by queries, see timer.h. */
#include "d3d9/timer.h"

static bool wait_for_query(IDirect3DQuery9 *q, void *to, DWORD size)
{
	HRESULT hr;
	while ((hr = IDirect3DQuery9_GetData(q, to, size, D3DGETDATA_FLUSH)) == S_FALSE)
		SwitchToThread();
	return hr == S_OK;
}

/* Returns the ticks per second of the driver's timestamps, or 0 if it has none. */
static double timestamp_frequency(IDirect3DDevice9 *d3d)
{
	IDirect3DQuery9 *q;
	UINT64 ticks = 0;
	if (FAILED(IDirect3DDevice9_CreateQuery(d3d, D3DQUERYTYPE_TIMESTAMPFREQ, &q)))
		return 0;
	IDirect3DQuery9_Issue(q, D3DISSUE_END);
	bool const good = wait_for_query(q, &ticks, sizeof ticks);
	IDirect3DQuery9_Release(q);
	return good ? (double)ticks : 0;
}

bool timer_make(struct timer *t, IDirect3DDevice9 *d3d)
{
	LARGE_INTEGER clock;
	t->frequency = timestamp_frequency(d3d);
	if (t->frequency > 0 && SUCCEEDED(IDirect3DDevice9_CreateQuery(d3d, D3DQUERYTYPE_TIMESTAMP, &t->begin)) &&
	    SUCCEEDED(IDirect3DDevice9_CreateQuery(d3d, D3DQUERYTYPE_TIMESTAMP, &t->end)))
		return true;
	t->begin = NULL;
	QueryPerformanceFrequency(&clock);
	t->frequency = (double)clock.QuadPart;
	return SUCCEEDED(IDirect3DDevice9_CreateQuery(d3d, D3DQUERYTYPE_EVENT, &t->end));
}

static double clock_ticks(void)
{
	LARGE_INTEGER now;
	QueryPerformanceCounter(&now);
	return (double)now.QuadPart;
}

void timer_start(struct timer *t)
{
	t->before = clock_ticks();
	if (t->begin)
		IDirect3DQuery9_Issue(t->begin, D3DISSUE_END);
}

double timer_stop(struct timer *t)
{
	UINT64 begin = 0, end = 0;
	IDirect3DQuery9_Issue(t->end, D3DISSUE_END);
	if (!wait_for_query(t->end, t->begin ? &end : NULL, t->begin ? sizeof end : 0) || (t->begin && !wait_for_query(t->begin, &begin, sizeof begin)))
		return -1;
	return (t->begin ? (double)(end - begin) : clock_ticks() - t->before) * 1e9 / t->frequency;
}

const char *timer_name(const struct timer *t)
{
	return t->begin ? "timestamps" : "clock";
}

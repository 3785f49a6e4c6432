// The health check of the container: ends with status 0 if this process is ready (/readyz, docs/operations.md).
const LIMIT_MS = 8000

const answer = await fetch(`http://127.0.0.1:${process.env.MONITOR_PORT ?? 9464}/readyz`, {
  signal: AbortSignal.timeout(LIMIT_MS),
}).catch(() => null)
process.exitCode = answer?.status === 200 ? 0 : 1

import { flushCompileCache } from 'node:module'

// For programs that tests start again and again, and kill: saves every second what they have compiled, which otherwise
// only those do that end in order. The folder is in NODE_COMPILE_CACHE; without it nothing is saved.
setInterval(flushCompileCache, 1_000).unref()

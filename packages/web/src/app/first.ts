// The first of a page's scripts, a small one: while the others are on their way, it asks who is signed in.
import '../shared/arrival.ts'
import { Clock } from '../shared/clock.ts'
import { runtime } from '../shared/runtime.ts'
import { keepCodesFromAddress } from '../shared/scanned-ticket.ts'
import { createBrowserSession } from '../shared/session/browser-session.ts'
import { readStart } from './start.ts'

// First of all: the address may hold the secret of a scanned ticket.
keepCodesFromAddress(window)

export const start = readStart(document)
export const clock = new Clock(start.now, runtime)
export const { api, session, sayNow } = createBrowserSession(runtime, clock)

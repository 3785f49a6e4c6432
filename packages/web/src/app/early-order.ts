// A script of the page of an order, between the first and the large one.
import { lookEarly } from '../shared/order/early-look.ts'
import { api, session } from './first.ts'

/** The payment that the address names, asked for while the large script is on its way; null without one. */
export const paid = lookEarly(api, session)

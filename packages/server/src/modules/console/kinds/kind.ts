import type { ArgsOfKind, KindName } from '@fairball/contract/console/kinds'
import type { Queries, Tx } from '../../../db/pool.ts'
import type { OperatorContext } from '../../operator/service.ts'
import type { CarryOutContext } from '../context.ts'
import type { JsonObject } from '../request-queries.ts'

/** Where a request is carried out: in one transaction with everything that follows from it. */
export interface Desk {
  readonly ctx: CarryOutContext
  readonly tx: Tx
  /** The operator's own actions, bound to the transaction; their lines of the audit log name the request's people. */
  readonly operator: OperatorContext
  /** the id of the request, and why it was made */
  readonly requestId: string
  readonly reason: string
  /** who asked; null for an invited person without a passkey */
  readonly proposer: { readonly id: bigint } | null
  /** the ids of everybody who signed */
  readonly signers: readonly bigint[]
}

/** What a kind of request is about, and does. */
export interface RequestKind<Name extends KindName = KindName> {
  /**
   * What the screen shows beside the request. The worker makes them again, and carries out only what was shown.
   *
   * @param from the console's own login: views `console_*` alone
   * @param now epoch seconds
   * @throws LotteryError NOT_FOUND for something that there is not
   */
  facts(from: Queries, args: ArgsOfKind<Name>, now: number): Promise<JsonObject>
  /**
   * Does it, and writes a line of the audit log.
   *
   * @returns what the request's people read
   * @throws Refused, CodedRefusal
   */
  carryOut(desk: Desk, args: ArgsOfKind<Name>): Promise<JsonObject>
}

/** The facts of a kind that is about nothing but its arguments. */
export async function withoutFacts(): Promise<JsonObject> {
  return {}
}

/** The words of a desk as a result. */
export async function said(acted: Promise<string>): Promise<JsonObject> {
  return { text: await acted }
}

import type { Seal } from '@fairball/domain/protocol/bundle'
import { roundDueAt } from '@fairball/domain/protocol/chain'
import { makeSeal } from '@fairball/domain/protocol/make-bundle'
import { SEALED_BEFORE_DUE_SECONDS } from '@fairball/domain/protocol/numbers'
import { peakNodes } from '@fairball/domain/protocol/tree'
import type { Queries } from '../../db/pool.ts'
import * as queries from './file-queries.ts'
import { cosignedCheckpoint, sealingSize } from './in-force.ts'
import { readStatement, readStatementOf, type ReadStatement } from './log.ts'
import { NODE_HASH } from './node-hash.ts'
import * as logQueries from './queries.ts'
import { LOG_TREE, nodesOf } from './trees.ts'

/** A seal as it is served, and whether it is final. */
interface ServedSeal {
  readonly seal: Seal
  /** the draw has ended: further cosignatures change nothing */
  readonly isFinal: boolean
}

/**
 * The seal of a close, postponement or void (docs/fairness.md, sections 7 and 12): the checkpoint that puts it in
 * force, or else its own, and the statements from the last one before the end of sales on. Null for anything else.
 */
export async function sealOf(from: Queries, hash: string): Promise<ServedSeal | null> {
  const found = await from.maybeOne(logQueries.findStatement, [hash])
  if (found === null) return null
  const sealed = await readStatement(from, hash)
  const { statement } = sealed
  if (statement.type !== 'close' && statement.type !== 'postpone' && statement.type !== 'void') return null
  const open = await readStatementOf(from, 'open', statement.open)
  const { index: before } = await from.one(queries.findLastBefore, [open.close])
  const { isOver: isFinal } = await from.one(queries.findIsOver, [statement.open])
  const size = await sizeOf(from, sealed, open.chain)
  return { seal: await sealAt(from, before ?? 0, size), isFinal }
}

/** A later head may put a close in force; everything else that is sealed ends its own range. */
async function sizeOf(from: Queries, { hash, index, statement }: ReadStatement, chainHash: string): Promise<number> {
  if (statement.type !== 'close') return index + 1
  const chain = await from.one(queries.findChain, [chainHash])
  const until = roundDueAt(chain, statement.round) - SEALED_BEFORE_DUE_SECONDS
  return (await sealingSize(from, { openHash: statement.open, closeHash: hash, until })) ?? index + 1
}

async function sealAt(from: Queries, start: number, size: number): Promise<Seal> {
  const head = await cosignedCheckpoint(from, size)
  const statements = await from.run(logQueries.listStatements, [start, size])
  const node = await nodesOf(from, LOG_TREE, size, peakNodes(0, start))
  const source = {
    head,
    statement: async (index: number) => statements[index - start]?.text ?? '',
    node: async (wanted: Parameters<typeof node>[0]) => node(wanted),
  }
  return await makeSeal(source, head, start, NODE_HASH)
}

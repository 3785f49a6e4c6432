import { readLogStatement } from '@fairball/domain/protocol/statements'
import { findNewestOf } from './daily-queries.ts'
import type { LogContext } from './context.ts'
import { appendStatement, lockHead } from './log.ts'

/** The files that a build serves (docs/fairness.md, section 10). */
export interface ServedCode {
  readonly version: string
  /** 40 hex digits; 40 zeros if the build does not know it */
  readonly commit: string
  /** by the paths they are served at, at least one */
  readonly file: readonly { readonly hash: string; readonly path: string }[]
}

/** States what is served from now on, if the newest statement says otherwise. */
export async function stateCode(ctx: LogContext, code: ServedCode): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockHead(ctx, tx)
    const newest = await tx.maybeOne(findNewestOf, ['code'])
    if (newest !== null && isSame(code, newest.text)) return
    await appendStatement(ctx, tx, { type: 'code', ...code })
  })
}

function isSame({ version, commit, file }: ServedCode, text: string): boolean {
  const said = readLogStatement(text)
  if (said.type !== 'code' || said.version !== version || said.commit !== commit) return false
  const linesOf = (files: ServedCode['file']): string => files.map(({ hash, path }) => `${hash} ${path}`).join('\n')
  return linesOf(said.file) === linesOf(file)
}

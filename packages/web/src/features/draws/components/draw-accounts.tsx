import { paths } from '../../../shared/paths.ts'
import type { DrawDetails } from '../use-draws.ts'
import { DrawMoney } from './draw-money.tsx'
import { Fairness } from './fairness.tsx'

/** The part below a draw's first view: where its money went, and the values that prove its result. */
export function DrawAccounts({ gameKey, draw }: { gameKey: string; draw: DrawDetails }) {
  return (
    <>
      <DrawMoney draw={draw} />
      <Fairness statements={draw.statements} proofHref={paths.proof(gameKey, draw.number)} />
    </>
  )
}

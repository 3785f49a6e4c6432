import type { TagKind } from '@fairball/ui/tag.tsx'
import { RESULTS_TEXTS } from './messages.ts'
import type { Play } from './use-results.ts'

/** The text about a play, and its action. */
export interface PlayOutcome {
  text: string
  kind: TagKind
  /** `watch` the coming draw, `claim` an unpaid win, or none. */
  action: 'watch' | 'claim' | null
}

/** @returns the outcome of a play in the specification's words (section 4, Play display) */
export function outcomeOf(play: Pick<Play, 'draw' | 'is_win' | 'win_type' | 'is_claimed'>): PlayOutcome {
  const { outcomes } = RESULTS_TEXTS
  if (play.draw === null) return { text: RESULTS_TEXTS.upcoming, kind: 'soon', action: 'watch' }
  if (!play.is_win || play.win_type === null) return { text: outcomes.none, kind: 'neutral', action: null }
  switch (play.win_type) {
    case 'JACKPOT':
      return won(play.is_claimed ? outcomes.jackpotClaimed : outcomes.jackpot, play.is_claimed)
    // A free ticket is claimed immediately: it is added to the player's own (decisions, section 2).
    case 'PRIZE':
    case 'FREE_TICKET':
      return won(play.is_claimed ? outcomes.prizeClaimed : outcomes.prize, play.is_claimed)
  }
}

function won(text: string, isClaimed: boolean): PlayOutcome {
  return { text, kind: 'success', action: isClaimed ? null : 'claim' }
}

import { usePlayReceipt } from '../../../proof/play-receipt.ts'
import { TicketSlip } from '../../../proof/ticket-slip.tsx'
import { TICKET_TEXTS } from '../../../proof/ticket-texts.ts'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { useGame } from '../../../shared/data/games.ts'
import { Button } from '@fairball/ui/button.tsx'
import { PrinterIcon } from '@fairball/ui/icons.tsx'
import type { Play } from '../use-results.ts'

/** An open play's ticket on paper. On the screen it is a button. */
export default function PlaySlip({ gameKey, play }: { gameKey: string; play: Play }) {
  const gameName = useGameName(gameKey)
  const nextDraw = useGame(gameKey).data?.next_draw.number ?? 1
  const receipt = usePlayReceipt({ id: play.id, draw: play.draw, game: gameKey, nextDraw })
  return (
    <>
      <TicketSlip
        receipt={receipt.data}
        play={{
          playId: play.id,
          gameKey,
          gameName,
          draw: play.draw?.number ?? null,
          startAt: play.date,
          lines: play.tickets,
        }}
      />
      <p>
        <Button variant="soft" size="small" icon={<PrinterIcon size={18} />} onClick={() => print()}>
          {TICKET_TEXTS.print}
        </Button>
      </p>
    </>
  )
}

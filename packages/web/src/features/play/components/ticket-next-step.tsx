import type { ReactNode } from 'react'
import { canWatch } from '@fairball/domain/draw-phase'
import type { PaidFor } from '@fairball/contract/schemas/order'
import { errorText } from '../../../shared/api.ts'
import { useClockValue } from '../../../shared/clock.ts'
import { useCryptoAccount } from '../../../shared/data/crypto-account.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useResendVerification } from '../../../shared/data/resend-verification.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import { useSaveCalendar } from '../use-save-calendar.ts'

/** Props of the parts that follow a paid order. */
interface PaidOrderProps {
  game: Game
  order: PaidFor
}

/** The one thing a player can still do for a paid order, with the page's only primary button. */
export function TicketNextStep(props: PaidOrderProps) {
  switch (useNextStep(props)) {
    case 'address':
      return (
        <Step title={ORDER_TEXTS.needsAddress} text={ORDER_TEXTS.needsAddressText}>
          <LinkButton href={paths.cryptoAccount()} block>
            {ORDER_TEXTS.addPayoutAddress}
          </LinkButton>
        </Step>
      )
    case 'email':
      return <VerifyEmail />
    case 'watch':
      return (
        <Step title={ORDER_TEXTS.startsSoon} text={ORDER_TEXTS.startsSoonText}>
          <LinkButton href={paths.watch(props.game.key)} block>
            {ORDER_TEXTS.watchLive}
          </LinkButton>
        </Step>
      )
    case 'calendar':
      return (
        <Step title={ORDER_TEXTS.remember} text={ORDER_TEXTS.rememberText}>
          <SaveCalendar {...props} variant="primary" />
        </Step>
      )
    case null:
      return null
  }
}

/** Saves the order's draws as a calendar file, where it is not already the one thing to do. */
export function SoftCalendar(props: PaidOrderProps) {
  const step = useNextStep(props)
  const isComing = useIsComing(props.order)
  return step === null || step === 'calendar' || !isComing ? null : <SaveCalendar {...props} variant="soft" />
}

/** The first thing that applies; null before it is known, and once all draws have begun. */
function useNextStep({ game, order }: PaidOrderProps): 'address' | 'email' | 'watch' | 'calendar' | null {
  const { profile } = useSession()
  const address = useCryptoAccount()
  const { number, start_at: startAt, end_at: endAt } = game.next_draw
  const isIn = order.draws.some((draw) => draw.number === number)
  const isWatchable = useClockValue((now) => canWatch({ startAt, endAt }, now)) && isIn
  const isComing = useIsComing(order)
  if (address.isPending || profile === null) return null
  if (address.data === null) return 'address'
  if (!profile.is_email_verified) return 'email'
  if (isWatchable) return 'watch'
  return isComing ? 'calendar' : null
}

/** Whether a draw of the order has not begun. */
function useIsComing({ draws }: PaidFor): boolean {
  const last = draws.at(-1)?.start_at ?? 0
  return useClockValue((now) => now < last)
}

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card title={title} lead={text}>
      {children}
    </Card>
  )
}

function VerifyEmail() {
  const resend = useResendVerification()
  return (
    <Step title={ORDER_TEXTS.needsEmail} text={ORDER_TEXTS.needsEmailText}>
      {resend.isError && <Banner kind="danger">{errorText(resend.error)}</Banner>}
      {resend.isSuccess ? (
        <Banner kind="success" live>
          {ORDER_TEXTS.resent}
        </Banner>
      ) : (
        <Button block busy={resend.isPending} onClick={() => resend.mutate()}>
          {ORDER_TEXTS.resendEmail}
        </Button>
      )}
    </Step>
  )
}

function SaveCalendar({ game, order, variant }: PaidOrderProps & { variant: 'primary' | 'soft' }) {
  const save = useSaveCalendar()
  return (
    <Button variant={variant} block={variant === 'primary'} onClick={() => save(game, order)}>
      {ORDER_TEXTS.addToCalendar}
    </Button>
  )
}

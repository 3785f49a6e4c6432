import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { canWatch } from '@fairball/domain/draw-phase'
import type { PaidFor } from '@fairball/contract/schemas/order'
import { errorText } from '../../../shared/api.ts'
import { useClockValue } from '../../../shared/use-clock.ts'
import { useCryptoAccount, useTakesLightning } from '../../../shared/data/crypto-account.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useResendVerification } from '../../../shared/data/resend-verification.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { CalendarIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { TICKET_WORDS } from '../ticket-messages.ts'
import { useSaveCalendar } from '../use-save-calendar.ts'
import styles from './ticket-next-step.module.css'

// The ticket does not wait for it, and most players have an address.
const CryptoAccountForm = lazy(async () => ({
  default: (await import('../../../shared/payout/crypto-account-form.tsx')).CryptoAccountForm,
}))

/** Props of the parts that follow a paid order. */
interface PaidOrderProps {
  game: Game
  order: PaidFor
}

/** The one thing a player can still do for a paid order, with the page's only primary button. */
export function TicketNextStep(props: PaidOrderProps) {
  const [isSaved, setSaved] = useState(false)
  const done = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone.
  useEffect(() => {
    if (isSaved) done.current?.focus()
  }, [isSaved])
  return (
    <>
      {isSaved && (
        <div ref={done} tabIndex={-1} className={styles['done']}>
          <Banner kind="success" live>
            {TICKET_WORDS.addressSaved}
          </Banner>
        </div>
      )}
      <NextStep {...props} onSaved={() => setSaved(true)} />
    </>
  )
}

function NextStep({ onSaved, ...props }: PaidOrderProps & { onSaved: () => void }) {
  switch (useNextStep(props)) {
    case 'unknown':
      return <LoadingStep />
    case 'address':
      return (
        <Suspense fallback={<LoadingStep />}>
          <AddAddress onSaved={onSaved} />
        </Suspense>
      )
    case 'email':
      return <VerifyEmail />
    case 'watch':
      return (
        <Step title={TICKET_WORDS.startsSoon} text={TICKET_WORDS.startsSoonText}>
          <LinkButton href={paths.watch(props.game.key)} block>
            {TICKET_WORDS.watchLive}
          </LinkButton>
        </Step>
      )
    case 'calendar':
      return (
        <Step title={TICKET_WORDS.remember} text={TICKET_WORDS.rememberText}>
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
  return step === 'calendar' || !isComing ? null : <SaveCalendar {...props} variant="soft" />
}

/** The first thing that applies; null once all draws have begun. */
function useNextStep({ game, order }: PaidOrderProps): 'unknown' | 'address' | 'email' | 'watch' | 'calendar' | null {
  const { profile } = useSession()
  const address = useCryptoAccount()
  const { number, start_at: startAt, end_at: endAt } = game.next_draw
  const isIn = order.draws.some((draw) => draw.number === number)
  const isWatchable = useClockValue((now) => canWatch({ startAt, endAt }, now)) && isIn
  const isComing = useIsComing(order)
  if (profile === null || address.isPending) return 'unknown'
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

/** The form for the payout address, in place. Accounts without a password show a code instead, which takes two-factor. */
function LoadingStep() {
  return (
    <Card>
      <Loading>
        <Skeleton shape="block" className={styles['loading']} />
      </Loading>
    </Card>
  )
}

function AddAddress({ onSaved }: { onSaved: () => void }) {
  const { profile } = useSession()
  const isSocial = profile?.is_social_account ?? false
  const canAdd = !isSocial || profile?.is_two_fa_enabled === true
  const takesLightning = useTakesLightning()
  return (
    <Step title={TICKET_WORDS.needsAddress} text={canAdd ? TICKET_WORDS.needsAddressText : TICKET_WORDS.needsTwofa}>
      {canAdd ? (
        <CryptoAccountForm saved={null} isSocial={isSocial} saveText={TICKET_WORDS.saveAddress} onSaved={onSaved} />
      ) : (
        <LinkButton href={paths.security()} block>
          {TICKET_WORDS.toSecurity}
        </LinkButton>
      )}
      <p className={styles['note']}>
        {TICKET_WORDS.addressLater}
        {takesLightning && (
          <>
            {' '}
            <Link href={paths.cryptoAccount()}>{TICKET_WORDS.lightningInstead}</Link>
          </>
        )}
      </p>
    </Step>
  )
}

function VerifyEmail() {
  const resend = useResendVerification()
  return (
    <Step title={TICKET_WORDS.needsEmail} text={TICKET_WORDS.needsEmailText}>
      {resend.isError && <Banner kind="danger">{errorText(resend.error)}</Banner>}
      {resend.isSuccess ? (
        <Banner kind="success" live>
          {TICKET_WORDS.resent}
        </Banner>
      ) : (
        <Button block busy={resend.isPending} onClick={() => resend.mutate()}>
          {TICKET_WORDS.resendEmail}
        </Button>
      )}
    </Step>
  )
}

function SaveCalendar({ game, order, variant }: PaidOrderProps & { variant: 'primary' | 'soft' }) {
  const save = useSaveCalendar()
  return (
    <Button
      variant={variant}
      block={variant === 'primary'}
      icon={<CalendarIcon size={20} />}
      onClick={() => save(game, order)}
    >
      {TICKET_WORDS.addToCalendar}
    </Button>
  )
}

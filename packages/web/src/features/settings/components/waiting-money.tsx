import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../shared/api.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '../../../ui/banner.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { WAITING_KEY } from '../use-crypto-account.ts'

/** The player's waiting money, prizes and returns separately, each with its reason; nothing without any. */
export function WaitingMoney() {
  const api = useApi()
  const { money } = usePlayerView()
  const waiting = useQuery({ queryKey: WAITING_KEY, queryFn: ({ signal }) => api.call('getWaitingMoney', { signal }) })
  return (waiting.data ?? []).map(({ kind, reason, amount }) => (
    <Banner key={`${kind} ${reason}`} kind={reason === 'LEAVING' || reason === 'NEXT_HOUR' ? 'info' : 'warning'}>
      <strong>{SETTINGS_TEXTS.waiting(money(amount.fiat), `${amount.crypto.value} ${amount.crypto.code}`)}</strong>{' '}
      {SETTINGS_TEXTS.waitingKinds[kind]}: {SETTINGS_TEXTS.waitingReasons[reason]}
    </Banner>
  ))
}

import { lazy, Suspense } from 'react'
import { formatMoney } from '@fairball/domain/fiat'
import type { Checkout } from '@fairball/contract/schemas/order'
import { useSession } from '../../../app/session/use-session.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { BitcoinIcon } from '../../../ui/icons.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { usePayFromTestWallet } from '../use-checkout.ts'
import styles from './payment-details.module.css'

const QrCode = lazy(async () => ({ default: (await import('../../../ui/qr-code.tsx')).QrCode }))

/** What to send where: as a code to scan, and as texts to copy. */
export function PaymentDetails({ checkout, isUnderpaid }: { checkout: Checkout; isUnderpaid: boolean }) {
  const due = isUnderpaid ? checkout.missing : checkout.amount.crypto
  return (
    <div className={styles['details']}>
      <div className={styles['code']}>
        <Suspense fallback={<Skeleton shape="block" className={styles['codeWait']} />}>
          <QrCode text={checkout.uri} label={CHECKOUT_TEXTS.qr} />
        </Suspense>
        <LinkButton href={checkout.uri} variant="secondary" block icon={<BitcoinIcon size={20} />}>
          {CHECKOUT_TEXTS.openWallet}
        </LinkButton>
      </div>
      <div className={styles['texts']}>
        <div className={styles['entry']}>
          <h3>{isUnderpaid ? CHECKOUT_TEXTS.missing : CHECKOUT_TEXTS.amount}</h3>
          <p className={styles['amount']}>
            <span>
              {due.value} {due.code}
            </span>
            <CopyButton text={due.value} label="amount" />
          </p>
          {!isUnderpaid && <Fiat checkout={checkout} />}
          <p className={styles['note']}>{CHECKOUT_TEXTS.exact}</p>
        </div>
        <div className={styles['entry']}>
          <h3>{CHECKOUT_TEXTS.address}</h3>
          <p className={styles['address']}>
            <Mono text={checkout.address} />
            <CopyButton text={checkout.address} label="address" />
          </p>
        </div>
        <DefinitionList items={factsOf(checkout, isUnderpaid)} ruled />
        {checkout.can_pay_from_test_wallet && <PayFromTestWallet orderId={checkout.transaction_id} />}
      </div>
    </div>
  )
}

function Fiat({ checkout }: { checkout: Checkout }) {
  const { currencyCode } = useSession()
  const amount = checkout.amount.fiat[currencyCode]
  return amount === undefined ? null : <p className={styles['fiat']}>{formatMoney(amount)}</p>
}

function factsOf(checkout: Checkout, isUnderpaid: boolean) {
  const network = { term: CHECKOUT_TEXTS.network, value: CHECKOUT_TEXTS.networks[checkout.network] }
  if (!isUnderpaid) return [network]
  return [
    { term: CHECKOUT_TEXTS.whole, value: `${checkout.amount.crypto.value} BTC` },
    { term: CHECKOUT_TEXTS.received, value: `${checkout.received.value} BTC` },
    network,
  ]
}

function PayFromTestWallet({ orderId }: { orderId: string }) {
  const pay = usePayFromTestWallet(orderId)
  return (
    <div className={styles['test']}>
      {pay.isError && <Banner kind="danger">{CHECKOUT_TEXTS.payFailed}</Banner>}
      <Button block busy={pay.isPending} onClick={() => pay.mutate()}>
        {CHECKOUT_TEXTS.payTest}
      </Button>
      <p className={styles['note']}>{CHECKOUT_TEXTS.payTestNote}</p>
    </div>
  )
}

import { formatMoney } from '@fairball/domain/fiat'
import type { Checkout } from '@fairball/contract/schemas/order'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { BitcoinIcon } from '../../../ui/icons.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { usePayFromTestWallet } from '../use-checkout.ts'
import { LargeCode } from './large-code.tsx'
import styles from './payment-details.module.css'

/** Amount and address: as a code to scan, and as texts to copy. */
export function PaymentDetails({ checkout, isUnderpaid }: { checkout: Checkout; isUnderpaid: boolean }) {
  const { address, uri } = checkout
  const due = checkout.missing
  const canPayHere = checkout.can_pay_from_test_wallet
  if (address === null || uri === null) return null
  return (
    <div className={styles['details']}>
      <div className={styles['code']}>
        <QrCode text={uri} label={CHECKOUT_TEXTS.qr} />
        <LinkButton href={uri} variant={canPayHere ? 'secondary' : 'primary'} block icon={<BitcoinIcon size={20} />}>
          {CHECKOUT_TEXTS.openWallet}
        </LinkButton>
        <LargeCode uri={uri} amount={`${due.value} BTC`} />
      </div>
      <div className={styles['texts']}>
        <div className={styles['entry']}>
          <h3>{isUnderpaid ? CHECKOUT_TEXTS.missing : CHECKOUT_TEXTS.amount}</h3>
          <p className={styles['amount']}>
            <span>
              <span className={styles['whole']}>{due.value}</span> {due.code}
            </span>
            <span className={styles['copy']}>
              <CopyButton text={due.value} label="amount" />
            </span>
          </p>
          {due.value === checkout.amount.crypto.value && <Fiat checkout={checkout} />}
          <p className={styles['note']}>{isUnderpaid ? CHECKOUT_TEXTS.exactMissing : CHECKOUT_TEXTS.exact}</p>
        </div>
        <div className={styles['entry']}>
          <h3>{CHECKOUT_TEXTS.address}</h3>
          <p className={styles['address']}>
            <span className={styles['whole']}>
              <Mono text={address} />
            </span>
            <span className={styles['copy']}>
              <CopyButton text={address} label="address" />
            </span>
          </p>
        </div>
        <DefinitionList items={factsOf(checkout, isUnderpaid)} ruled />
        {canPayHere && <PayFromTestWallet orderId={checkout.transaction_id} />}
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

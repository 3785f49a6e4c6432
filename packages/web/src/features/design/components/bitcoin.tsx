import { CopyButton } from '../../../ui/copy-button.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { Row, Section, Specimen } from './specimen.tsx'
import styles from './bitcoin.module.css'

/** The example address of BIP 173, for regtest. */
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** Addresses and ids for people, phones and clipboards. */
export function BitcoinDetails() {
  return (
    <Section id="bitcoin">
      <Specimen name="Addresses" of={['mono.tsx', 'copy-button.tsx']}>
        {() => (
          <Row>
            <Mono text={ADDRESS} />
            <CopyButton text={ADDRESS} label="address" />
          </Row>
        )}
      </Specimen>
      <Specimen name="QR codes" of={['qr-code.tsx']}>
        {() => (
          <div className={styles['code']}>
            <QrCode text={`bitcoin:${ADDRESS}?amount=0.00012500`} label="QR code of a payment" />
          </div>
        )}
      </Specimen>
    </Section>
  )
}

import { useRef, useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { QrCode } from '@fairball/ui/qr-code.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './large-code.module.css'

/** The code as large as the screen, for a camera that is far away or weak. The browser's own dialog holds it. */
export function LargeCode({ uri, amount }: { uri: string; amount: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const open = () => {
    setIsOpen(true)
    dialog.current?.showModal()
  }
  const close = () => dialog.current?.close()
  return (
    <div className={styles['part']}>
      <Button variant="soft" size="small" block onClick={open}>
        {CHECKOUT_TEXTS.enlarge}
      </Button>
      <dialog
        ref={dialog}
        className={styles['dialog']}
        aria-label={CHECKOUT_TEXTS.qr}
        onClose={() => setIsOpen(false)}
        // A press beside the code hits the dialog element itself.
        onClick={(event) => event.target === dialog.current && close()}
      >
        {isOpen && (
          <div className={styles['content']}>
            <div className={styles['code']}>
              <QrCode text={uri} label={CHECKOUT_TEXTS.qr} />
            </div>
            <p className={styles['amount']}>{amount}</p>
            <Button block onClick={close}>
              {CHECKOUT_TEXTS.close}
            </Button>
          </div>
        )}
      </dialog>
    </div>
  )
}

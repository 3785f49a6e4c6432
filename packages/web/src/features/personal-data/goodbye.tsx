import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from '@fairball/ui/button.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import styles from './goodbye.module.css'
import { PERSONAL_DATA_TEXTS } from './messages.ts'

/** Confirms that the account is closed, above whatever page follows. */
export function sayGoodbye(): void {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(
    <Goodbye
      onRead={() => {
        root.unmount()
        place.remove()
      }}
    />,
  )
}

/** The note after an account was closed. */
export function Goodbye({ onRead }: { onRead: () => void }) {
  const [isOpen, setIsOpen] = useState(true)
  const close = () => {
    setIsOpen(false)
    onRead()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={PERSONAL_DATA_TEXTS.goodbyeTitle}
      footer={<Button onClick={close}>{PERSONAL_DATA_TEXTS.goodbyeClose}</Button>}
    >
      <div className={styles['note']}>
        {PERSONAL_DATA_TEXTS.goodbye.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </Dialog>
  )
}

import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { CloseIcon } from './basic-icons.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

/** Props of {@link Dialog}. */
export interface DialogProps {
  isOpen: boolean
  /** Called when it should close: Escape, a press on the background, the close button. */
  onClose: () => void
  title: string
  /** Beside the title, such as "4 of 6"; replaces the close button's place on its left. */
  aside?: ReactNode
  /** Buttons at the foot; they stay in view while the content scrolls. */
  footer?: ReactNode
  world?: string | undefined
  /** Shows a close button in the corner. Default true; the picker goes without. */
  closeButton?: boolean
  children: ReactNode
}

/**
 * A dialog 600 px wide; on phones a sheet at the bottom. The focus stays inside, Escape and the background close it, and the focus goes back
 * where it was. It brings 26 kB along: load the part of a screen that uses it with `React.lazy`.
 */
export function Dialog({ isOpen, onClose, title, aside, footer, world, closeButton = true, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      className={styles['overlay'] ?? ''}
    >
      <Modal className={styles['modal'] ?? ''}>
        <AriaDialog className={styles['dialog'] ?? ''} data-game={world}>
          <div className={styles['head']}>
            <Heading slot="title" level={2} className={styles['title'] ?? ''}>
              {title}
            </Heading>
            {aside !== undefined && <span className={styles['aside']}>{aside}</span>}
            {closeButton && (
              <IconButton
                label="Close"
                icon={<CloseIcon />}
                onClick={onClose}
                className={classNames(styles['close'])}
              />
            )}
          </div>
          <div className={styles['body']}>{children}</div>
          {footer !== undefined && <div className={styles['foot']}>{footer}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

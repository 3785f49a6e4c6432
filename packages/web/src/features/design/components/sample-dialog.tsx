import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** A dialog with a title, something beside it, words and buttons. It has the theme of the system, as everything that covers the page. */
export default function SampleDialog({ isLong, onClose }: { isLong: boolean; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="A dialog"
      {...(isLong && { aside: '4 of 6', closeButton: false })}
      footer={
        <Button onClick={onClose} block>
          GOT IT
        </Button>
      }
    >
      {Array.from({ length: isLong ? 40 : 1 }, (_, place) => (
        <p key={place}>What is said here can be read in peace: nothing behind it can be pressed.</p>
      ))}
    </Dialog>
  )
}

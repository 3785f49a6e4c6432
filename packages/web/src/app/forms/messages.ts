/** The words every form of the settings has in common. Sentences of the specification stand as it has them. */
export const FORM_TEXTS = {
  edit: 'Edit',
  save: 'Save',
  cancel: 'Cancel',
  saved: 'Your changes have been saved.',
  saveNeeds: 'Save works once every field is filled in and valid.',
  checkFields: 'Please check the fields below and make sure all the required data are filled in.',
  password: 'Password',
  passwordHint: 'Your account password, to show that it is you.',
  code: 'Authenticator code',
  codeHint: 'The six digits your authenticator app shows now.',
} as const

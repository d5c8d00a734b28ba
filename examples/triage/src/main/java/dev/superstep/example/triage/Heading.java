package dev.superstep.example.triage;

/// What the report says of a message's origin. The text itself stays in its file.
///
/// @param sender as the message's header says, as far as it is read, or empty
/// @param subject as the message's header says, as far as the model reads it, or empty
/// @param characters the length of the whole subject and the text
record Heading(String file, String sender, String subject, int characters) {
  boolean wasCut() {
    return characters > Letter.READ_MAX;
  }
}

/// Credentials of the people for whom runs work: given to tools at the moment of a call, and never
/// part of a state, a prompt, an event, a journal or an error.
///
/// Start at [dev.superstep.credential.ServiceCredentials].
@org.jspecify.annotations.NullMarked
package dev.superstep.credential;

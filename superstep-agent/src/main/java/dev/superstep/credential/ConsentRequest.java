package dev.superstep.credential;

import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import java.util.List;
import java.util.Optional;

/// A question to a person whether tools may act for them at a service. It survives a restart. An
/// answer counts only for exactly this question, and so only for this person: if another one
/// resumes the run, that one is asked.
///
/// A yes says that the person has consented at the service; whether there is a credential is looked
/// up again then.
///
/// @param principal the id of the person who is asked
/// @param service the name of the service
/// @param scopes what is to be done there, in the words of the service
/// @param reason why it is asked
/// @param page where the person consents, if there is such a page
public record ConsentRequest(
    String principal,
    String service,
    List<String> scopes,
    ConsentReason reason,
    Optional<String> page) {
  /// The question. Tools that use credentials declare it: [ServiceCredentials#tool].
  public static final Question<ConsentRequest, Approval> QUESTION =
      Question.of("consent", ConsentRequest.class, Approval.class);

  public ConsentRequest {
    scopes = List.copyOf(scopes);
  }
}

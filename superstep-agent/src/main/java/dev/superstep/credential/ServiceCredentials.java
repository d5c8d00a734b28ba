package dev.superstep.credential;

import dev.superstep.node.Approval;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolResult;
import java.net.URI;
import java.util.List;

/// Lets tools act at a service by the credential of the person for whom the run works. It is looked
/// up at the moment of the call. Where consent is missing or has ended, the person is asked, and
/// the run waits for the answer: [ConsentRequest].
///
/// ```java
/// var mail = ServiceCredentials.of(provider, "mail", "mail.read");
/// agent.tools(mail.tool("list_mail", "Lists the mail.", Folder.class,
///     (folder, credential, _) -> client.list(folder.name(), credential.secret())));
/// ```
///
/// Results and errors of such a tool are searched for the secret, which is replaced. Its code must
/// not tell it by progress, events or state. Immutable, safe for many threads.
public final class ServiceCredentials {
  private static final int QUESTIONS_MAX = 5;

  private final CredentialProvider provider;
  private final String service;
  private final List<String> scopes;

  private ServiceCredentials(CredentialProvider provider, String service, List<String> scopes) {
    this.provider = provider;
    this.service = service;
    this.scopes = scopes;
  }

  /// The credentials of a service.
  ///
  /// @param service its name
  /// @param scopes what is to be done there, in the words of the service
  public static ServiceCredentials of(
      CredentialProvider provider, String service, String... scopes) {
    return new ServiceCredentials(provider, service, List.of(scopes));
  }

  /// The code of a tool that acts by a credential.
  @FunctionalInterface
  public interface Handler<A> {
    /// Does the work.
    ///
    /// @throws CredentialRejected if the service does not accept the credential
    Object call(A arguments, Credential credential, ToolContext context) throws Exception;
  }

  /// The work of a call that acts by a credential.
  @FunctionalInterface
  public interface Work {
    /// Does it.
    ///
    /// @throws CredentialRejected if the service does not accept the credential
    Object with(Credential credential) throws Exception;
  }

  /// A tool that acts by the credential of the run's principal.
  ///
  /// @param arguments a record, which may be empty
  /// @throws dev.superstep.json.UnsupportedType if the arguments have no codec
  public <A extends Record> Tool tool(
      String name, String description, Class<A> arguments, Handler<A> handler) {
    return Tool.of(
            name,
            description,
            arguments,
            (given, context) ->
                use(context, credential -> handler.call(given, credential, context)))
        .withQuestions(ConsentRequest.QUESTION);
  }

  /// Does the work of a tool by the credential of the run's principal.
  ///
  /// @param context of a tool that declares [ConsentRequest#QUESTION]
  /// @return the result of the work, or an error for the model if there is no credential
  /// @throws NoPrincipal if the run has no principal
  /// @throws Exception what the work throws, without the secret
  public Object use(ToolContext context, Work work) throws Exception {
    var principal =
        context.node().find(RunPrincipal.KEY).orElseThrow(() -> new NoPrincipal(service));
    var request = new CredentialRequest(principal, service, scopes);
    boolean isRejected = false;
    int asked = 0;
    while (true) {
      switch (provider.credential(request)) {
        case CredentialAnswer.Granted(var credential) -> {
          var scrubber = SecretScrubber.of(credential);
          try {
            return scrubber.result(work.with(credential));
          } catch (CredentialRejected e) {
            provider.reject(request, credential);
            if (isRejected) {
              var refused = asked++ < QUESTIONS_MAX ? ask(context, needed(), principal) : gaveUp();
              if (refused != null) return refused;
            }
            isRejected = true;
          } catch (Exception e) {
            throw scrubber.exception(e);
          } catch (Error e) {
            throw scrubber.error(e);
          }
        }
        case CredentialAnswer.ConsentNeeded needed -> {
          var refused = asked++ < QUESTIONS_MAX ? ask(context, needed, principal) : gaveUp();
          if (refused != null) return refused;
        }
      }
    }
  }

  private static CredentialAnswer.ConsentNeeded needed() {
    return new CredentialAnswer.ConsentNeeded(ConsentReason.REJECTED, java.util.Optional.empty());
  }

  /// Asks the person.
  ///
  /// @return the answer to the call if it cannot go on; null if it can
  private @org.jspecify.annotations.Nullable ToolResult ask(
      ToolContext context, CredentialAnswer.ConsentNeeded needed, RunPrincipal principal) {
    if (!context.node().isPersistent()) {
      return ToolResult.error(
          "The person has not allowed access to `%s`, and cannot be asked here, since the run is not saved."
              .formatted(service));
    }
    var question =
        new ConsentRequest(
            principal.id(), service, scopes, needed.reason(), needed.page().map(URI::toString));
    Approval answer = context.ask(ConsentRequest.QUESTION, question);
    if (answer.approved()) return null;
    return ToolResult.error(
        "The person does not allow access to `%s`.%s"
            .formatted(service, answer.note().map(note -> " " + note).orElse("")));
  }

  private ToolResult gaveUp() {
    return ToolResult.error(
        "The person was asked for access to `%s` several times, and there is still none."
            .formatted(service));
  }

  @Override
  public String toString() {
    return "ServiceCredentials[" + service + "]";
  }
}

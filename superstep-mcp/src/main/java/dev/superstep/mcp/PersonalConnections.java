package dev.superstep.mcp;

import dev.superstep.credential.ConsentRequest;
import dev.superstep.credential.Credential;
import dev.superstep.credential.CredentialProvider;
import dev.superstep.credential.CredentialRejected;
import dev.superstep.credential.NoPrincipal;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.credential.ServiceCredentials;
import dev.superstep.json.Json;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A server elsewhere whose tools act for the person for whom a run works: each person has a
/// connection of their own, with their own credential, so that no session of the server is shared.
/// Missing consent is a question to the person: [ConsentRequest]. Safe for many threads. Close it.
///
/// ```java
/// var server = McpServer.http("mail", address);
/// try (var mail = PersonalConnections.of(server, provider, "mail.read")) {
///   var agent = Agent.named("desk").model(model).tools(Tools.of(mail.tools())).build();
///   agent.run("Any mail?", new RunPrincipal("ada").in(options));
/// }
/// ```
public final class PersonalConnections implements AutoCloseable {
  private static final int MOST = 500;

  private final McpServer server;
  private final ServiceCredentials credentials;
  private final ReentrantLock lock = new ReentrantLock();
  // The one that was used least recently comes first.
  private final LinkedHashMap<RunPrincipal, Personal> all = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable McpConnection listing;
  private boolean isClosed;

  private PersonalConnections(McpServer server, ServiceCredentials credentials) {
    this.server = server;
    this.credentials = credentials;
  }

  /// The connections with a server.
  ///
  /// @param server elsewhere; the tools are listed by its own credentials, if it has some
  /// @param provider gives the credentials of people; the service is the name of the server
  /// @param scopes what the tools do, in the words of the server
  public static PersonalConnections of(
      McpServer server, CredentialProvider provider, String... scopes) {
    if (!(server.way() instanceof McpServer.Http)) {
      throw new IllegalArgumentException(
          "credentials of people are for servers that are elsewhere, was " + server);
    }
    return new PersonalConnections(server, ServiceCredentials.of(provider, server.name(), scopes));
  }

  /// The connection of a person. Its credential is set before each call.
  private final class Personal implements McpCredentials {
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile @Nullable Credential credential;
    private volatile String rejected = "";
    private @Nullable McpConnection connection;
    private int uses;

    McpConnection connection() throws InterruptedException {
      connecting.lockInterruptibly();
      try {
        var known = connection;
        if (known != null) return known;
        var made = server.credentials(this).connect();
        connection = made;
        return made;
      } finally {
        connecting.unlock();
      }
    }

    @Override
    public Optional<String> token() {
      return Optional.ofNullable(credential).map(Credential::secret);
    }

    @Override
    public boolean refresh(String challenge) {
      rejected = token().orElse("");
      return false;
    }

    boolean isRejected(Credential used) {
      return rejected.equals(used.secret());
    }

    void close() {
      var known = connection;
      if (known != null) known.close();
    }
  }

  /// The tools of the server for an agent, as they are now. Their names begin with the name of the
  /// server.
  ///
  /// @throws McpFailed if the server cannot be reached or breaks the protocol
  public List<Tool> tools() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      checkOpen();
      var known = listing;
      if (known == null) listing = known = server.connect();
      return known.tools(
          this::call, McpQuestions.TOOL_CHANGED, McpQuestions.ELICITED, ConsentRequest.QUESTION);
    } finally {
      lock.unlock();
    }
  }

  private ToolHandler<Json> call(String tool) {
    return (arguments, context) ->
        credentials.use(context, credential -> called(tool, arguments, credential, context));
  }

  private Object called(String tool, Json arguments, Credential credential, ToolContext context)
      throws Exception {
    var who = context.node().find(RunPrincipal.KEY).orElseThrow(this::nobody);
    var own = acquire(who);
    try {
      own.credential = credential;
      var made = new McpToolCall(server, own.connection(), tool, Optional.of(credential));
      var result = made.call(arguments, context);
      if (own.isRejected(credential)) throw rejected();
      return result;
    } catch (McpFailed e) {
      if (own.isRejected(credential)) throw rejected();
      throw e;
    } finally {
      release(own);
    }
  }

  private CredentialRejected rejected() {
    return new CredentialRejected("`" + server.name() + "` wants another one.");
  }

  private NoPrincipal nobody() {
    return new NoPrincipal(server.name());
  }

  private Personal acquire(RunPrincipal who) throws InterruptedException {
    var ended = new ArrayList<Personal>();
    lock.lockInterruptibly();
    try {
      checkOpen();
      var own = all.computeIfAbsent(who, _ -> new Personal());
      own.uses++;
      var oldest = all.entrySet().iterator();
      while (all.size() > MOST && oldest.hasNext()) {
        var one = oldest.next().getValue();
        if (one.uses > 0) continue;
        oldest.remove();
        ended.add(one);
      }
      return own;
    } finally {
      lock.unlock();
      ended.forEach(Personal::close);
    }
  }

  private void release(Personal own) {
    lock.lock();
    try {
      own.uses--;
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (isClosed) throw new IllegalStateException("the connections are closed: " + server.name());
  }

  /// Ends all connections.
  @Override
  public void close() {
    var ended = new ArrayList<Personal>();
    lock.lock();
    try {
      isClosed = true;
      ended.addAll(all.values());
      all.clear();
      if (listing != null) listing.close();
    } finally {
      lock.unlock();
    }
    ended.forEach(Personal::close);
  }

  @Override
  public String toString() {
    return "PersonalConnections[" + server.name() + "]";
  }
}

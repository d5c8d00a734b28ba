package dev.superstep.spring;

import dev.superstep.agent.Agent;
import dev.superstep.credential.Credential;
import dev.superstep.credential.CredentialVault;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.credential.ServiceCredentials;
import dev.superstep.graph.Graph;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Outcome;
import dev.superstep.tool.ToolPolicy;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// An application whose agent reads the mail of the user who asks. A filter signs users in, as that
/// of Spring Security does.
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
@Import(Mailroom.Desk.class)
class Mailroom {
  /// Holds the first reply of the model until a test lets it go on.
  static final AtomicReference<Shop.@Nullable Hold> MODEL = new AtomicReference<>();

  record Nothing() {}

  @Bean
  ChatModel model() {
    return ScriptedModel.by(request -> {
      var last = request.messages().getLast();
      if (last instanceof ToolMessage) return ScriptedModel.text("Mail: " + last.text());
      holdBack();
      return ScriptedModel.calls(new ToolCall("c1", "list_mail", "{}"));
    });
  }

  private static void holdBack() {
    var hold = MODEL.get();
    if (hold == null) return;
    hold.reached().countDown();
    try {
      hold.goOn().await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Bean
  CredentialVault vault() {
    var vault = CredentialVault.inMemory();
    for (var name : new String[] {"ada", "bob"}) {
      vault.put(new RunPrincipal(name), "mail", Credential.of("token-of-" + name));
    }
    return vault;
  }

  @Bean
  Agent<String> mail(ChatModel model, CredentialVault vault) {
    var credentials = ServiceCredentials.of(vault.provider(_ -> Optional.empty()), "mail");
    var tool =
        credentials.tool(
            "list_mail",
            "Lists the mail.",
            Nothing.class,
            (_, credential, _) -> "letters to " + credential.secret().replace("token-of-", ""));
    return Agent.named("mail").model(model).tools(tool.withPolicy(ToolPolicy.readOnly())).build();
  }

  @Bean
  Graph rounds() {
    return new Shop().rounds();
  }

  @Bean
  @ConditionalOnWebApplication
  Filter signingIn() {
    return (request, response, chain) -> {
      var http = (HttpServletRequest) request;
      var user = http.getHeader("X-User");
      chain.doFilter(user == null ? request : new SignedIn(http, () -> user), response);
    };
  }

  private static final class SignedIn extends HttpServletRequestWrapper {
    private final Principal user;

    SignedIn(HttpServletRequest request, Principal user) {
      super(request);
      this.user = user;
    }

    @Override
    public Principal getUserPrincipal() {
      return user;
    }
  }

  @RestController
  static class Desk {
    private final Runs runs;

    Desk(Runs runs) {
      this.runs = runs;
    }

    @PostMapping("/mail/{thread}")
    String ask(@PathVariable String thread, @RequestBody String question) throws Exception {
      return text(runs.ask("mail", question, thread));
    }

    @PostMapping("/mail/{thread}/resume")
    String resume(@PathVariable String thread) throws Exception {
      return text(runs.resume(thread));
    }

    private String text(StartedRun run) throws InterruptedException {
      Outcome end = run.outcome();
      return runs.agent("mail").result(end).toString();
    }
  }
}

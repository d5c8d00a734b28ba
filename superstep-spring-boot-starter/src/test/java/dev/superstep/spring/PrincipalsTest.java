package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.credential.RunPrincipal;
import dev.superstep.graph.Drain;
import dev.superstep.run.Input;
import dev.superstep.spring.Shop.Hold;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Runs work for the user of the request that started or continued them.
@Timeout(120)
class PrincipalsTest {
  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void letAllGoOn() {
    var hold = Mailroom.MODEL.getAndSet(null);
    if (hold != null) hold.goOn().countDown();
    Shop.HELD.values().forEach(held -> held.goOn().countDown());
    Shop.HELD.clear();
    client.shutdownNow();
  }

  private ConfigurableApplicationContext start(String... properties) {
    return started(new SpringApplicationBuilder(Mailroom.class), properties);
  }

  private ConfigurableApplicationContext started(
      SpringApplicationBuilder application, String... properties) {
    return application
        .properties("server.port=0", "superstep.store.file=" + folder.resolve("threads.db"))
        .properties(properties)
        .run();
  }

  private String post(ConfigurableApplicationContext application, String path, String user)
      throws Exception {
    var port = application.getEnvironment().getRequiredProperty("local.server.port");
    var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    if (!user.isEmpty()) request.header("X-User", user);
    var posted = request.POST(BodyPublishers.ofString("Any mail?")).build();
    return client.send(posted, BodyHandlers.ofString()).body();
  }

  @Test
  void tools_have_the_credential_of_the_user_who_asks() throws Exception {
    try (var application = start()) {
      assertThat(post(application, "/mail/a", "ada")).contains("letters to ada");
      assertThat(post(application, "/mail/b", "bob")).contains("letters to bob");
      // Bob continues the thread of Ada by his own credentials.
      assertThat(post(application, "/mail/a", "bob")).contains("letters to bob");
      assertThat(post(application, "/mail/c", "")).contains("has no principal");
      var runs = application.getBean(Runs.class);
      assertThat(runs.options("t").toString()).doesNotContain("personal");
    }
    assertThat(stored()).contains("letters to").doesNotContain("token-of-");
  }

  private String stored() throws Exception {
    return Files.readString(folder.resolve("threads.db"), StandardCharsets.ISO_8859_1);
  }

  @Test
  void a_property_lets_runs_work_for_nobody() throws Exception {
    try (var application = start("superstep.principal.enabled=false")) {
      assertThat(post(application, "/mail/a", "ada")).contains("has no principal");
    }
  }

  @Test
  void an_application_says_itself_for_whom_it_works() throws Exception {
    var builder = new SpringApplicationBuilder(Mailroom.class, Always.class);
    try (var application = started(builder)) {
      assertThat(post(application, "/mail/a", "ada")).contains("letters to bob");
    }
  }

  @Configuration
  static class Always {
    @Bean
    PrincipalSource bob() {
      return () -> Optional.of(new RunPrincipal("bob"));
    }
  }

  @Test
  void threads_of_the_application_name_their_user() throws Exception {
    try (var application = start()) {
      var runs = application.getBean(Runs.class);
      Principal ada = () -> "ada";
      var end = runs.actingFor(ada).ask("mail", "Any mail?", "a").outcome();
      assertThat(runs.agent("mail").result(end).toString()).contains("letters to ada");
      Principal nobody = () -> "";
      assertThatThrownBy(() -> runs.actingFor(nobody)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_run_that_was_left_waits_for_its_user_and_others_go_on() throws Exception {
    leave();
    var last = Hold.at(5);
    Shop.HELD.put("free", last);
    try (var second = start("superstep.resume.enabled=true")) {
      // The newest is looked at first, and that is the one of Ada.
      last.reached().await();
      var runs = second.getBean(Runs.class);
      assertThat(runs.left("adas"))
          .hasValueSatisfying(left -> {
            assertThat(left.personal()).isTrue();
            assertThat(left.drained()).isTrue();
          });
      assertThat(runs.left("free")).as("it is at work").isEmpty();
      last.goOn().countDown();
      assertThat(post(second, "/mail/adas/resume", "ada")).contains("letters to ada");
      assertThat(runs.left("adas")).isEmpty();
    }
  }

  @Test
  void a_run_that_is_resumed_without_its_user_says_that_it_works_for_nobody() throws Exception {
    leave();
    try (var second = start()) {
      var runs = second.getBean(Runs.class);
      var end = runs.resume("adas").outcome();
      assertThat(runs.agent("mail").result(end).toString())
          .contains("The run has no principal", "`mail`");
    }
  }

  /// Leaves a run without a principal, and after it a run for Ada that is about to call its tool.
  private void leave() throws Exception {
    var free = Hold.at(2);
    Shop.HELD.put("free", free);
    var first = start();
    var runs = first.getBean(Runs.class);
    var rounds = runs.start("rounds", Input.none(), "free");
    free.reached().await();
    var asked = Hold.at(1);
    Mailroom.MODEL.set(asked);
    var ada = runs.actingFor(new RunPrincipal("ada")).ask("mail", "Any mail?", "adas");
    asked.reached().await();
    var drain = first.getBean(Drain.class);
    var stop = Thread.startVirtualThread(first::close);
    while (!drain.isStarted()) Thread.onSpinWait();
    free.goOn().countDown();
    rounds.outcome();
    // Written last, and so looked at first.
    asked.goOn().countDown();
    stop.join();
    ada.outcome();
    Mailroom.MODEL.set(null);
    Shop.HELD.clear();
  }
}

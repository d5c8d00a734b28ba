package dev.superstep.server;

import dev.superstep.server.extension.RunNotices;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.graph.NotServed;
import dev.superstep.server.graph.RagSources;
import dev.superstep.server.internal.api.AgentsResource;
import dev.superstep.server.internal.api.AssistantsResource;
import dev.superstep.server.internal.api.CronResource;
import dev.superstep.server.internal.api.HealthResource;
import dev.superstep.server.internal.api.OpenApiResource;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.api.RunWebhooks;
import dev.superstep.server.internal.api.RunsResource;
import dev.superstep.server.internal.api.ScheduledRuns;
import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.StateEdits;
import dev.superstep.server.internal.api.StatesResource;
import dev.superstep.server.internal.api.StoreResource;
import dev.superstep.server.internal.api.Subscribers;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.api.ThreadsResource;
import dev.superstep.server.internal.api.events.EventsResource;
import dev.superstep.server.internal.api.studio.ServedThreads;
import dev.superstep.server.internal.api.studio.Studio;
import dev.superstep.server.internal.documents.RunQuotas;
import dev.superstep.server.internal.extension.ExtensionRoutes;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.net.AddressGuard;
import dev.superstep.server.internal.net.OutboundHttp;
import dev.superstep.server.internal.queue.RunSettings;
import dev.superstep.server.internal.retention.Cleaning;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.run.RunStores;
import dev.superstep.server.internal.schedule.Crons;
import dev.superstep.server.internal.schedule.Scheduler;
import dev.superstep.server.internal.webhook.WebhookSender;
import dev.superstep.server.internal.webhook.Webhooks;
import dev.superstep.server.log.ServerListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// The parts of a server above HTTP, wired: its resources, and what works in its background. Safe
/// for many threads.
final class ServerParts {
  private final Service service;
  private final Texts texts;
  private final boolean isAsking;
  private final RunService runs;
  private final ThreadAccess access;
  private final ScheduledRuns scheduled;
  private final Scheduler scheduler;
  private final WebhookSender webhooks;
  private final Cleaning cleaning;
  private volatile boolean isDraining;

  /// Things that the API does not know.
  ///
  /// @param notServed programs that the server found and cannot serve, for the studio
  /// @param sources of graphs, for the studio
  /// @param extensions further protocols
  record Texts(List<NotServed> notServed, RagSources sources, List<ServerExtension> extensions) {}

  /// @param isAsking whether clients show who they are
  ServerParts(Service service, Texts texts, boolean isAsking, ServerListener listener) {
    var limits = service.options().runs();
    this.service = service;
    this.texts = texts;
    this.isAsking = isAsking;
    var options = service.options();
    var documents = service.documents();
    var settings =
        new RunSettings(
            limits.concurrent(),
            limits.lease(),
            limits.longest(),
            limits.keptEvents(),
            new RunQuotas(options.quotas(), limits));
    this.runs =
        new RunService(
            new RunStores(service.checkpointer(), documents, service.memory()),
            service.graphs(),
            settings,
            new RunService.Observer(
                new Subscribers(
                    notices(texts.extensions()),
                    options.webhooks(),
                    new RunWebhooks(new Webhooks(options.webhooks()))),
                listener));
    this.access = new ThreadAccess(service, runs);
    this.scheduled = new ScheduledRuns(service, access, runs);
    this.scheduler = new Scheduler(documents, scheduled);
    var guard = AddressGuard.allowing(options.webhooks().networks());
    this.webhooks = new WebhookSender(documents, new OutboundHttp(guard), options.webhooks());
    this.cleaning = new Cleaning(documents, access::threads, settings.keptEvents());
  }

  private static List<RunNotices> notices(List<ServerExtension> extensions) {
    return extensions.stream().flatMap(extension -> extension.notices().stream()).toList();
  }

  /// Begins to run what waits, and what is due.
  void start() {
    runs.start();
    scheduler.start();
    webhooks.start();
    cleaning.start();
    texts.extensions().forEach(ServerExtension::start);
  }

  Routes routes() {
    var routes = new Routes();
    for (var resource : resources()) resource.addTo(routes);
    new OpenApiResource(routes, version(), isAsking).addTo(routes);
    var graphs = List.copyOf(service.graphs().values());
    var added = ExtensionRoutes.beside(routes, graphs, service.guard(), service.documents());
    for (var extension : texts.extensions()) extension.addTo(added);
    return routes;
  }

  private List<Resource> resources() {
    var edits = new StateEdits(service, access, runs);
    var threads = new ThreadsResource(service, access, edits);
    return List.of(
        new HealthResource(service, version(), () -> isDraining),
        threads,
        new StatesResource(service, access, edits),
        new RunsResource(service, access, runs),
        new EventsResource(service, access, runs),
        new AssistantsResource(service, runs, threads),
        new AgentsResource(service, runs),
        new StoreResource(service),
        new CronResource(new Crons(service.documents(), service.guard(), scheduled)),
        new Studio(
            service,
            new ServedThreads(service, access, edits),
            texts.notServed(),
            texts.sources()));
  }

  /// Takes no more work, and waits for what is at work.
  void drain(Duration most) {
    isDraining = true;
    texts.extensions().forEach(ServerExtension::close);
    scheduler.close();
    webhooks.close();
    cleaning.close();
    try {
      runs.drain(most);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      runs.close();
    }
  }

  int runsAtWork() {
    return runs.atWork();
  }

  /// The version of this build, which the build has written into a file.
  private static String version() {
    try (var text = ServerParts.class.getResourceAsStream("version.txt")) {
      return text == null ? "0" : new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

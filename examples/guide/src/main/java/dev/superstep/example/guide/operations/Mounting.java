package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ScriptedModel;
import dev.superstep.server.AgentServer;
import dev.superstep.server.AgentServlet;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.service.InMemoryServiceStore;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/// An agent as a part of a web application, below the path `/agents` of it. The model is scripted.
@WebListener
public final class Mounting implements ServletContextListener {
  @Override
  public void contextInitialized(ServletContextEvent event) {
    var desk = Agent.named("desk").model(ScriptedModel.saying("It is on its way.")).build();
    var agents =
        AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .serving(ServedGraph.of(desk.graph()).describedAs("Answers customers"))
            .authenticator(ApiKeys.parse("ann key-of-ann-123456"));
    var servlet = event.getServletContext().addServlet("agents", new AgentServlet(agents));
    servlet.addMapping("/agents/*");
    servlet.setAsyncSupported(true);
    servlet.setLoadOnStartup(1);
  }
}

package dev.superstep.spring;

import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/// An application that starts its web server, says how much time of the processor that took, and
/// ends. It names nothing of the starter, so it also starts without it.
@SpringBootConfiguration
@EnableAutoConfiguration(
    excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
class StartedApplication {
  /// @param arguments of Spring Boot
  public static void main(String... arguments) {
    var application = SpringApplication.run(StartedApplication.class, arguments);
    boolean hasStarter = application.containsBean("superstepRuns");
    var machine =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.out.printf("%nstarted %s %d%n", hasStarter, machine.getProcessCpuTime() / 1_000_000);
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}

package dev.superstep.testkit;

/// The tests that every [dev.superstep.service.ServiceStore] must pass. A test class implements
/// this interface:
///
/// ```java
/// final class MyServiceStoreTest implements ServiceStoreSuite {
///   @Override
///   public ServiceStore fresh() {
///     return MyServiceStore.open();
///   }
/// }
/// ```
public interface ServiceStoreSuite
    extends ServiceDocumentsSuite, ServiceSearchSuite, ServiceLogsSuite {}

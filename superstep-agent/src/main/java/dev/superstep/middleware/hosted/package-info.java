/// Tools that run at the vendor of a model.
@org.jspecify.annotations.NullMarked
package dev.superstep.middleware.hosted;

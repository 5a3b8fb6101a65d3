/**
 * Help for tests of all modules: storages in memory and with faults, tables made by real Hudi. No
 * mocks: each fake keeps the contract of what it stands for. Everything that is random has a seed.
 */
package io.hudilite.core.testkit;

export { createTestDelivery, type TestDelivery, type TestDeliveryOptions } from "./create-test-delivery.ts";
export { type FixtureName, fixtures } from "./fixtures.ts";

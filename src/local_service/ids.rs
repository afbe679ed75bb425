//! Ids from the random numbers of the system.

use rand::TryRngCore;
use rand::rngs::OsRng;
use uuid::Uuid;

pub fn fresh() -> Result<Uuid, rand::rand_core::OsError> {
    let mut bytes = [0; 16];
    OsRng.try_fill_bytes(&mut bytes)?;
    Ok(uuid::Builder::from_random_bytes(bytes).into_uuid())
}

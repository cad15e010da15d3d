"""The types of the estimator's parameters. Made by tools/python_stubs.py: do not edit."""
from typing import Any, Dict, Literal, Optional, Sequence, Union

import numpy as np
from typing_extensions import Self

from ._params import Params
from ._run import ProgressCallback

DEFAULTS: Dict[str, Any]

RandomState = Union[None, int, np.random.RandomState, np.random.Generator]

class Parameters:
    preset: Union[Literal["auto", "fast", "paper"], None]
    method: Literal["odim", "iforest", "knn", "lof", "mcd", "pca", "hbos", "ecod", "copod", "ocsvm", "cblof", "loda", "cof", "sod", "bagging"]
    members: Union[int, None]
    samples: Union[int, Literal["auto"], None]
    scoring_samples: Union[int, None]
    score_pool: Union[int, Literal["auto"], None]
    scale: Union[Literal["minmax", "standard", "none", "robust"], None]
    feature_transform: Union[Literal["none", "log-pca"], None]
    with_: Union[str, Sequence[str], None]
    trusted_fraction: Union[float, None]
    neighbors: Union[int, Literal["auto"]]
    trees: int
    tree_sample: int
    nu: float
    gamma: Union[float, Literal["auto"]]
    clusters: int
    projections: int
    bins: int
    references: int
    bags: int
    contamination: Union[float, Literal["auto"]]
    seed: int
    model: Literal["iwae", "flow"]
    hidden: Union[Sequence[int], str, None]
    latent: Union[int, Literal["auto"]]
    max_features: Union[int, None]
    batch_norm: Union[bool, None]
    likelihood: Literal["paper", "gaussian", "unit", "bernoulli"]
    flow_steps: int
    batch: Union[int, None]
    lr: Union[float, None]
    weight_decay: float
    known_weight: Union[float, None]
    check_every: Union[int, Literal["auto"]]
    patience: Union[int, Literal["auto"]]
    distance: Literal["paper", "w2"]
    max_updates: int
    min_level_count: Union[int, Literal["auto"]]
    share_safe: bool
    dp_epsilon: Union[float, Literal["off"]]
    dp_delta: float
    dp_share: float
    dp_clip: float
    dp_noise: Union[float, Literal["auto"]]
    dp_updates: Union[int, Literal["auto"]]
    dp_insecure_seed: bool
    threads: Union[int, Literal["auto"]]
    progress: ProgressCallback
    random_state: RandomState
    n_jobs: Optional[int]
    def __init__(
        self,
        *,
        preset: Union[Literal["auto", "fast", "paper"], None] = None,
        method: Literal["odim", "iforest", "knn", "lof", "mcd", "pca", "hbos", "ecod", "copod", "ocsvm", "cblof", "loda", "cof", "sod", "bagging"] = "odim",
        members: Union[int, None] = None,
        samples: Union[int, Literal["auto"], None] = None,
        scoring_samples: Union[int, None] = None,
        score_pool: Union[int, Literal["auto"], None] = None,
        scale: Union[Literal["minmax", "standard", "none", "robust"], None] = None,
        feature_transform: Union[Literal["none", "log-pca"], None] = None,
        with_: Union[str, Sequence[str], None] = None,
        trusted_fraction: Union[float, None] = None,
        neighbors: Union[int, Literal["auto"]] = "auto",
        trees: int = 100,
        tree_sample: int = 256,
        nu: float = 0.5,
        gamma: Union[float, Literal["auto"]] = "auto",
        clusters: int = 8,
        projections: int = 100,
        bins: int = 10,
        references: int = 10,
        bags: int = 10,
        contamination: Union[float, Literal["auto"]] = "auto",
        seed: int = 0,
        model: Literal["iwae", "flow"] = "iwae",
        hidden: Union[Sequence[int], str, None] = None,
        latent: Union[int, Literal["auto"]] = "auto",
        max_features: Union[int, None] = None,
        batch_norm: Union[bool, None] = None,
        likelihood: Literal["paper", "gaussian", "unit", "bernoulli"] = "paper",
        flow_steps: int = 4,
        batch: Union[int, None] = None,
        lr: Union[float, None] = None,
        weight_decay: float = 5e-07,
        known_weight: Union[float, None] = None,
        check_every: Union[int, Literal["auto"]] = "auto",
        patience: Union[int, Literal["auto"]] = "auto",
        distance: Literal["paper", "w2"] = "paper",
        max_updates: int = 10000,
        min_level_count: Union[int, Literal["auto"]] = "auto",
        share_safe: bool = False,
        dp_epsilon: Union[float, Literal["off"]] = "off",
        dp_delta: float = 1e-05,
        dp_share: float = 0.1,
        dp_clip: float = 1,
        dp_noise: Union[float, Literal["auto"]] = "auto",
        dp_updates: Union[int, Literal["auto"]] = "auto",
        dp_insecure_seed: bool = False,
        threads: Union[int, Literal["auto"]] = "auto",
        progress: ProgressCallback = None,
        random_state: RandomState = None,
        n_jobs: Optional[int] = None,
    ) -> None: ...
    def get_params(self, deep: bool = True) -> Dict[str, Any]: ...
    def set_params(
        self,
        *,
        preset: Union[Literal["auto", "fast", "paper"], None] = ...,
        method: Literal["odim", "iforest", "knn", "lof", "mcd", "pca", "hbos", "ecod", "copod", "ocsvm", "cblof", "loda", "cof", "sod", "bagging"] = ...,
        members: Union[int, None] = ...,
        samples: Union[int, Literal["auto"], None] = ...,
        scoring_samples: Union[int, None] = ...,
        score_pool: Union[int, Literal["auto"], None] = ...,
        scale: Union[Literal["minmax", "standard", "none", "robust"], None] = ...,
        feature_transform: Union[Literal["none", "log-pca"], None] = ...,
        with_: Union[str, Sequence[str], None] = ...,
        trusted_fraction: Union[float, None] = ...,
        neighbors: Union[int, Literal["auto"]] = ...,
        trees: int = ...,
        tree_sample: int = ...,
        nu: float = ...,
        gamma: Union[float, Literal["auto"]] = ...,
        clusters: int = ...,
        projections: int = ...,
        bins: int = ...,
        references: int = ...,
        bags: int = ...,
        contamination: Union[float, Literal["auto"]] = ...,
        seed: int = ...,
        model: Literal["iwae", "flow"] = ...,
        hidden: Union[Sequence[int], str, None] = ...,
        latent: Union[int, Literal["auto"]] = ...,
        max_features: Union[int, None] = ...,
        batch_norm: Union[bool, None] = ...,
        likelihood: Literal["paper", "gaussian", "unit", "bernoulli"] = ...,
        flow_steps: int = ...,
        batch: Union[int, None] = ...,
        lr: Union[float, None] = ...,
        weight_decay: float = ...,
        known_weight: Union[float, None] = ...,
        check_every: Union[int, Literal["auto"]] = ...,
        patience: Union[int, Literal["auto"]] = ...,
        distance: Literal["paper", "w2"] = ...,
        max_updates: int = ...,
        min_level_count: Union[int, Literal["auto"]] = ...,
        share_safe: bool = ...,
        dp_epsilon: Union[float, Literal["off"]] = ...,
        dp_delta: float = ...,
        dp_share: float = ...,
        dp_clip: float = ...,
        dp_noise: Union[float, Literal["auto"]] = ...,
        dp_updates: Union[int, Literal["auto"]] = ...,
        dp_insecure_seed: bool = ...,
        threads: Union[int, Literal["auto"]] = ...,
        progress: ProgressCallback = ...,
        random_state: RandomState = ...,
        n_jobs: Optional[int] = ...,
    ) -> Self: ...
    def _params(self) -> Params: ...
    def _threads(self) -> Params: ...
    def __setstate__(self, state: Dict[str, Any]) -> None: ...

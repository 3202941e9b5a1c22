import { exposeResponse } from 'passport-social-networks';
import { logInOnNode } from '../../../../strategies.js';

export default (req, res) => {
  exposeResponse(req, res, () => {});
  logInOnNode(req, res, req.query.network);
};
